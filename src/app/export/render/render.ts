import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Exporter, WrittenExportFile } from '../../../exporters/exporter.ts';
import { findExporterByName } from '../../../exporters/registry.ts';
import type { ManifestFile } from '../folder/manifest.ts';
import { readStagedRecords, type StagedRecordSources } from './staged-records.ts';
import type { TableGroup } from './tables.ts';

/** Returns the exporter of a format; throws if there is none, which loading the pipeline rules out. */
export function getExporter(name: string): Exporter {
  const found = findExporterByName(name);
  if (found === undefined) throw new Error(`unknown export format "${name}"`);
  return found;
}

const chunk = 256 * 1024;

/** Returns the size of a file in bytes and its SHA-256 in hex. */
export async function computeSizeAndSha256(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  // One buffer for all: a stream would allocate a new one for each chunk.
  const buffer = Buffer.allocUnsafe(chunk);
  const file = await open(path, 'r');
  try {
    for (let bytes = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, chunk, null);
      if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** Writes all fetched data into an empty folder; returns the written files. */
export async function writeExportFiles(
  staged: StagedRecordSources,
  groups: readonly TableGroup[],
  folder: string,
  signal: AbortSignal,
): Promise<ManifestFile[]> {
  const files: ManifestFile[] = [];
  for (const group of groups) {
    const { guards } = getExporter(group.format);
    for (const file of await renderGroup(staged, group, folder, signal)) {
      files.push({
        ...file,
        format: group.format,
        ...(await computeSizeAndSha256(join(folder, file.name))),
        guarded: guards,
      });
    }
  }
  return files;
}

async function renderGroup(
  staged: StagedRecordSources,
  { format, options, tables }: TableGroup,
  folder: string,
  signal: AbortSignal,
): Promise<readonly WrittenExportFile[]> {
  const writer = await getExporter(format).open({ folder, tables, options });
  try {
    for (const { kind } of tables) {
      for (const records of readStagedRecords(kind, staged)) {
        signal.throwIfAborted();
        await writer.write(kind, records);
      }
    }
    return await writer.finish();
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}
