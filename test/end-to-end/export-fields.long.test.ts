import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exporters } from '../../src/exporters/registry.ts';
import type { ExportColumn, ExportKind } from '../../src/model/export-record.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { sourceFormats } from '../../src/sources/registry.ts';
import { readers } from '../exporters/readers/index.ts';
import type { Reader } from '../exporters/readers/reader.ts';
import { type Cell, utf8 } from '../exporters/records.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Ended, start } from './command.ts';
import { bigWorkspace } from './export/big-workspace.ts';
import { columnsIn } from './export/columns.ts';
import { differences, givenIn } from './export/given.ts';
import { type Planted, readPlanted } from './export/planted.ts';
import { wantedValues } from './export/wanted.ts';
import { wantedCell } from './export/wanted-cell.ts';

const kinds = ['contacts', 'messages', 'users', 'customFields', 'closingNotes', 'tags', 'templates'] as const;
const formats = exporters.map(({ name }) => name);
const counts = { contacts: 5_000, messages: 40_000 };

/** Longest text of a cell of a workbook: what is longer is cut there, and says so. */
const longestInSheets = 32_767;

describe('a workspace of 5,000 contacts and 40,000 messages, exported by the real command', () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'workspace.db');
  const ended = new Map<string, Ended>();
  let sandbox: Sandbox;
  let planted: Planted;

  beforeAll(async () => {
    sandbox = await startSandbox({ file, seed: bigWorkspace(counts), rate: 'off', logSize: 0 });
    planted = readPlanted(file);
    const running = formats.map(async (format) => {
      const pipeline = join(folder.path, `${format}.yaml`);
      // JSON is YAML.
      writeFileSync(pipeline, JSON.stringify(pipelineOf(format)));
      const args = ['export', pipeline, '--work-dir', join(folder.path, `work-${format}`), '--json'];
      const env = { LONGSHORE_BASE_URL: sandbox.baseUrl, LONGSHORE_TOKEN: 'sandbox' };
      ended.set(format, await start(args, env).ended);
    });
    await Promise.all(running);
  }, 600_000);

  afterAll(async () => {
    await sandbox.close();
    folder.remove();
  });

  /** The same for every format, so it is worked out once. */
  const wantedCells = new Map<ExportKind, readonly ReadonlyMap<string, Cell>[]>();
  const wantedOf = (kind: ExportKind): readonly ReadonlyMap<string, Cell>[] => {
    const known = wantedCells.get(kind);
    if (known !== undefined) return known;
    const columns = columnsIn(kind, planted.customFields);
    const cells = wantedValues(kind, planted, columns).map(
      (values) => new Map(columns.map(({ name, type }, at) => [name, wantedCell(values[at], type)] as const)),
    );
    wantedCells.set(kind, cells);
    return cells;
  };
  const placeOf = (format: string) => join(folder.path, 'exports', format, 'latest');

  it.each(formats)('%s: ends well, and counts what there is', (format) => {
    expect(ended.get(format)).toMatchObject({ code: 0 });
    const manifest = JSON.parse(readFileSync(join(placeOf(format), 'manifest.json'), 'utf8'));
    const wanted = Object.fromEntries(kinds.map((kind) => [kind, planted[kind]?.length]));
    expect(manifest.counts).toEqual(wanted);
    expect(manifest).toMatchObject({ movedWhileReading: 0, goneWhileReading: 0, unreadable: [] });
    expect(wanted).toMatchObject(counts);
    const names = manifest.files.map(({ name }: { name: string }) => name);
    expect([...new Set([...names, 'manifest.json'])].sort()).toEqual(readdirSync(placeOf(format)).sort());
  });

  describe.each(formats)('%s', (format) => {
    it.each(kinds)('%s: every field is as it stands in the database', async (kind) => {
      const reader = readers[format];
      if (reader === undefined) throw new Error(`no reader of ${format}`);
      const columns = columnsIn(kind, planted.customFields).filter((column) =>
        hasColumn(format, kind, column),
      );
      const table = {
        kind,
        columns: format === 'sqlite' && kind !== 'contacts' ? columns.map(inOneName) : columns,
      };
      const { headings, rows } = await reader.read(placeOf(format), table);
      const wanted = wantedOf(kind).map((cells) =>
        columns.map((column) => {
          const cell = cells.get(column.name);
          if (cell === undefined || isGivenText(format, column)) return cell?.value;
          return reader.shown(cell, column.type, table);
        }),
      );
      const compare = (a: readonly unknown[], b: readonly unknown[]) =>
        cellDifferences(a, b, columns, format);
      expect(differences(rows, wanted, ([name]) => name, compare)).toEqual([]);
      if (headings !== null) expect(headings).toEqual(headingsOf(columns, reader, format));
    });
  });

  describe.each(['csv', 'xlsx'])('%s', (format) => {
    it.each(['contacts', 'messages'] as const)('%s: an import gives every text back', async (kind) => {
      const source = sourceFormats.find(({ name }) => name === format);
      const path = join(placeOf(format), `${kind}.${format}`);
      const opened = source?.open({}, { path, spoolDir: join(folder.path, 'spool') });
      const { signal } = new AbortController();
      const texts = columnsIn(kind, planted.customFields).filter(({ type }) => type === 'text');
      const found: string[][] = [];
      for await (const items of opened?.read(0, signal) ?? []) {
        for (const item of items) {
          if (item.kind !== 'row') throw new Error(JSON.stringify(item));
          found.push(['id', ...texts.map(({ name }) => name)].map((name) => utf8(item.cell(name) ?? '')));
        }
      }
      const wanted = wantedOf(kind).map((cells) =>
        ['id', ...texts.map(({ name }) => name)].map((name) => textOf(cells.get(name))),
      );
      const columns = columnsIn(kind, planted.customFields);
      const named = [columns[0], ...texts].flatMap((column) => column ?? []);
      const compare = (a: readonly string[], b: readonly string[]) => cellDifferences(a, b, named, format);
      expect(differences(found, wanted, ([name]) => name, compare)).toEqual([]);
    });
  });

  describe.each(formats.filter((format) => givenIn[format] !== undefined))('%s', (format) => {
    it.each(kinds)('%s: every object is there as the interface gave it', async (kind) => {
      const found = await givenIn[format]?.(placeOf(format), kind);
      const name = (thing: unknown) => nameIn(thing);
      expect(differences(found ?? [], planted[kind] ?? [], name)).toEqual([]);
    });
  });

  it('every format that keeps what the interface gave was looked at', () => {
    expect(Object.keys(givenIn).sort()).toEqual(
      exporters.flatMap(({ name, lossless }) => (lossless ? [name] : [])).sort(),
    );
    expect(Object.keys(readers).sort()).toEqual([...formats].sort());
  });
});

/** An empty cell and none are the same to an import, and half a sign is lost in UTF-8, though not in workbooks. */
function textOf(cell: Cell | undefined): string {
  return cell?.value === null || cell === undefined ? '' : utf8(String(cell.value));
}

function pipelineOf(format: string): object {
  return {
    pipeline: `export-${format}`,
    export: {
      to: `exports/${format}/{date}`,
      contacts: { format },
      messages: { format },
      workspaceObjects: ['users', 'customFields', 'closingNotes', 'tags'],
      templates: { channels: [1, 2] },
      // Five exports read one workspace: with hundreds of requests each, a busy machine would not answer some in time.
      limits: { concurrency: 16 },
    },
  };
}

/** A database has what a message holds in `given` alone, and that is compared there. */
function hasColumn(format: string, kind: ExportKind, { name }: ExportColumn): boolean {
  return !(format === 'sqlite' && kind === 'messages' && name === 'message');
}

/** A database has the values of custom fields as they were given, as texts, and numbers as numbers besides. */
function isGivenText(format: string, { path, type }: ExportColumn): boolean {
  return format === 'sqlite' && path[0] === 'customFields' && type === 'boolean';
}

/** In tables `team.id` is `teamId`. */
function inOneName(column: ExportColumn): ExportColumn {
  const [first = '', ...rest] = column.path;
  return { ...column, path: [first + rest.map((step) => step[0]?.toUpperCase() + step.slice(1)).join('')] };
}

function headingsOf(columns: readonly ExportColumn[], reader: Reader, format: string): readonly unknown[] {
  const guarded = format === 'csv' || format === 'xlsx';
  const table = { kind: 'contacts', columns } as const;
  return columns.map(({ name }) => (guarded ? reader.shown(wantedCell(name, 'text'), 'text', table) : name));
}

function cellDifferences(
  found: readonly unknown[],
  wanted: readonly unknown[],
  columns: readonly ExportColumn[],
  format: string,
): readonly unknown[] {
  return wanted.flatMap((value, at) => {
    const other = found[at] ?? null;
    if (
      other === value ||
      isDeepStrictEqual(other, value ?? null) ||
      (format === 'xlsx' && isCut(other, value))
    )
      return [];
    return [{ row: wanted[0], column: columns[at]?.name, found: other, wanted: value }];
  });
}

/** A cell of a workbook holds so much: a longer text ends there with how long it is. */
function isCut(found: unknown, wanted: unknown): boolean {
  if (typeof found !== 'string' || typeof wanted !== 'string' || wanted.length <= longestInSheets)
    return false;
  const [kept = '', note = ''] = found.split(' … [');
  return wanted.startsWith(kept) && kept.length > 32_000 && note.includes(`${wanted.length} characters`);
}

function nameIn(thing: unknown): unknown {
  const names = ['messageId', 'id', 'name', 'category'];
  const entries = new Map(Object.entries(thing ?? {}));
  return names.map((name) => entries.get(name)).find((value) => value !== undefined);
}
