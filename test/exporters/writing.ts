import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Exporter, ExportWriter, WrittenExportFile } from '../../src/exporters/exporter.ts';
import type { ExportKind, ExportRecord, ExportTable } from '../../src/model/export-record.ts';

/** A folder that is gone after the test. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'longshore-exporters-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

interface Written {
  readonly folder: string;
  readonly files: readonly WrittenExportFile[];
}

/** Writes those kinds in batches of seven, in order. */
export async function written(
  exporter: Exporter,
  kinds: readonly { readonly table: ExportTable; readonly records: readonly ExportRecord[] }[],
  options: unknown = {},
): Promise<Written> {
  const place = folder();
  const tables = kinds.map(({ table }) => table);
  const writer: ExportWriter = await exporter.open({ folder: place, tables, options });
  for (const { table, records } of kinds) {
    for (let from = 0; from < records.length; from += 7) {
      await writer.write(table.kind, records.slice(from, from + 7));
    }
  }
  return { folder: place, files: await writer.finish() };
}

/** All records of a kind that a file holds, by the format's own reading. */
export async function readBack(
  exporter: Exporter,
  file: string,
  kind: ExportKind,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  if (exporter.read === undefined) throw new Error(`${exporter.name} is not read back`);
  const found: Readonly<Record<string, unknown>>[] = [];
  for await (const record of exporter.read(file, kind)) found.push(record);
  return found;
}
