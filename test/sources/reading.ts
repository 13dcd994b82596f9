import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { FatalError } from '../../src/model/fatal-error.ts';
import type { BrokenRow, InputFacts, Row, Source, SourceItem } from '../../src/model/row.ts';
import { sourceFormats } from '../../src/sources/registry.ts';

/** A folder that is gone after the test. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'longshore-sources-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A file with this content in a folder of its own; text is UTF-8. */
export function file(content: string | Buffer, name = 'people.csv'): string {
  const path = join(folder(), name);
  writeFileSync(path, content);
  return path;
}

export function open(path: string, options: object = {}, format = 'csv', spoolDir = folder()): Source {
  const found = sourceFormats.find(({ name }) => name === format);
  if (found === undefined) throw new Error(`no format ${format}`);
  return found.open(options, { path, spoolDir });
}

export const never = new AbortController().signal;

export async function itemsFrom(source: Source, from = 0): Promise<readonly SourceItem[]> {
  const items: SourceItem[] = [];
  for await (const batch of source.read(from, never)) items.push(...batch);
  return items;
}

export interface Reading {
  readonly facts: InputFacts;
  readonly rows: readonly Row[];
  readonly broken: readonly BrokenRow[];
  /** The cells of the rows, in order. */
  readonly cells: readonly (readonly (string | null)[])[];
}

/** Everything a file gives; fails where the count before the reading was not the count in it. */
export async function reading(
  content: string | Buffer,
  options: object = {},
  format = 'csv',
): Promise<Reading> {
  return readingOf(open(file(content), options, format));
}

export async function readingOf(source: Source): Promise<Reading> {
  const facts = await source.inspect(never);
  const items = await itemsFrom(source);
  if (items.length !== facts.items) throw new Error(`counted ${facts.items} items, read ${items.length}`);
  const rows = items.flatMap((item) => (item.kind === 'row' ? [item] : []));
  const broken = items.flatMap((item) => (item.kind === 'broken' ? [item] : []));
  return { facts, rows, broken, cells: rows.map((row) => row.entries().map(([, cell]) => cell)) };
}

/** The FatalError that a reading ends with. */
export async function refusal(attempt: Promise<unknown>): Promise<FatalError> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof FatalError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Returns what can be read of a source with a missing part, or its refusal. */
export async function cutReading(
  source: Source,
): Promise<({ kind: 'read' } & Reading) | { kind: 'refused'; error: FatalError }> {
  try {
    return { kind: 'read', ...(await readingOf(source)) };
  } catch (error) {
    if (error instanceof FatalError) return { kind: 'refused', error };
    throw error;
  }
}
