import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { createSlug } from '../rules/data-types.ts';
import type { SandboxStore } from '../store/store.ts';
import { insertSeedContact } from './insert.ts';
import { parseSeedContact } from './seed.ts';

type Cell = (text: string) => unknown;

/** The columns that are contact fields, with the parsers of their cells; every other column is a custom field. */
const contactColumns = new Map<string, Cell>([
  ...['firstName', 'lastName', 'phone', 'email', 'language', 'profilePic', 'countryCode'].map(textColumn),
  ...['status', 'assignee', 'lifecycle'].map(textColumn),
  ['id', Number],
  ['created_at', Number],
  ['isBlocked', (text) => text === 'true'],
  [
    'tags',
    (text) =>
      text
        .split(';')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
  ],
]);

function textColumn(name: string): [string, Cell] {
  return [name, (text) => text];
}

/** Inserts the contacts of a CSV file with a header, row by row; throws an Error for an unusable header or row. */
export async function insertCsvSeed(store: SandboxStore, file: string, now: number): Promise<void> {
  const input = createReadStream(file);
  const records = input.pipe(parse({ bom: true, info: true }));
  input.once('error', (error) => records.destroy(error));
  let header: readonly string[] | undefined;
  try {
    for await (const { record, info } of records) {
      const cells: readonly string[] = record;
      if (header === undefined) {
        header = cells;
        insertColumns(store, cells, file);
        continue;
      }
      const contact = parseSeedContact(contactOf(header, cells), `${file}, line ${info.lines}`);
      insertSeedContact(store, contact, now);
    }
  } finally {
    input.destroy();
  }
}

/** The header of a seed has at least one of these columns. */
const whose = ['id', 'firstName', 'email', 'phone'];

function insertColumns(store: SandboxStore, header: readonly string[], file: string): void {
  if (!whose.some((name) => header.includes(name))) {
    const found = header.slice(0, 8).join(', ') + (header.length > 8 ? ', …' : '');
    throw new Error(
      `${file} is no seed: its header is "${found}", and a seed has columns such as ${whose.join(', ')}. To import it, draft a pipeline for it.`,
    );
  }
  if (new Set(header).size !== header.length || header.includes('')) {
    throw new Error(`${file} is no seed: its column names must be there and different from each other.`);
  }
  for (const name of header) {
    if (contactColumns.has(name) || store.customFields.named(name) !== undefined) continue;
    const slug = createSlug(name, (taken) => store.customFields.withSlug(taken) !== undefined);
    store.customFields.add({ name, slug, description: '', dataType: 'text', allowedValues: [] });
  }
}

function contactOf(header: readonly string[], cells: readonly string[]): object {
  const custom: { name: string; value: string }[] = [];
  const contact: Record<string, unknown> = { custom_fields: custom };
  for (const [index, name] of header.entries()) {
    const text = cells[index] ?? '';
    const cell = contactColumns.get(name);
    if (text === '') continue;
    if (cell === undefined) custom.push({ name, value: text });
    else contact[name] = cell(text);
  }
  return contact;
}
