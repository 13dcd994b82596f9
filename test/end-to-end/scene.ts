import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Ended, type Running, start } from './command.ts';
import { run } from './in-process.ts';

export type InputRow = Readonly<Record<string, string>>;
type CsvFile = readonly Readonly<Record<string, string>>[];

const summarySchema = z.object({
  run: z.string(),
  outcome: z.string(),
  rows: z.record(z.string(), z.number()),
});

/** What a command that worked on a run left behind. */
export interface Report extends z.output<typeof summarySchema> {
  readonly code: number | null;
  /** The folder of the run's files. */
  readonly folder: string;
  /** A CSV file of the run by its columns; undefined where there is none. */
  csv(name: string): CsvFile | undefined;
  /** What became of each row, by its line. */
  outcomes(): ReadonlyMap<number, string>;
}

/** An input, a mapping, a pipeline and a workspace, with the real command to bring them together. */
export interface Scene {
  readonly sandbox: Sandbox;
  readonly path: string;
  /** Starts the command in a process of its own. */
  start(...args: readonly string[]): Running;
  /** `import` of the pipeline to its end. */
  import(...flags: readonly string[]): Promise<Report>;
  /** `retry` of a run to its end. */
  retry(run: string, ...flags: readonly string[]): Promise<Report>;
  report(ended: Ended): Report;
  /** Puts another input in the place of this one. */
  writeRows(rows: readonly InputRow[]): void;
  /** Requests that asked for a change, as `METHOD /path`, in the order in which they finished. */
  writes(): string[];
}

export interface SceneOptions extends SandboxOptions {
  readonly mapping: string;
  readonly rows: readonly InputRow[];
  /** What stands under `import:` beside the source and the mapping. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Sets a scene for as long as `play` takes. */
export async function atScene(
  { mapping, rows, settings = {}, ...options }: SceneOptions,
  play: (scene: Scene) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const sandbox = await startSandbox({ strict: true, ...options });
  const file = (name: string) => join(folder.path, name);
  const writeRows: Scene['writeRows'] = (next) => {
    writeFileSync(file('people.csv'), stringify([...next], { header: true }));
  };
  writeRows(rows);
  writeFileSync(file('mapping.yaml'), mapping);
  const source = { format: 'csv', path: 'people.csv' };
  // JSON is YAML.
  const pipeline = { pipeline: 'people', import: { source, mapping: 'mapping.yaml', ...settings } };
  writeFileSync(file('pipeline.yaml'), JSON.stringify(pipeline));
  const begun: Running[] = [];
  const more = ['--json', '--workspace', sandbox.baseUrl, '--work-dir', file('work')];
  const env = { LONGSHORE_TOKEN: 'sandbox' };
  const begin: Scene['start'] = (...args) => {
    const running = start([...args, ...more], env);
    begun.push(running);
    return running;
  };
  const report: Scene['report'] = (ended) => reportOf(ended, file('work'));
  const toEnd = async (...args: readonly string[]) => report(await run([...args, ...more], env));
  try {
    await play({
      sandbox,
      path: folder.path,
      start: begin,
      import: (...flags) => toEnd('import', file('pipeline.yaml'), ...flags),
      retry: (id, ...flags) => toEnd('retry', id, ...flags),
      report,
      writeRows,
      writes: () => sandbox.log.filter(changes).map(({ method, path }) => `${method} ${path}`),
    });
  } finally {
    for (const running of begun) running.process.kill('SIGKILL');
    await sandbox.close();
    folder.remove();
  }
}

function changes({ method, path }: Sandbox['log'][number]): boolean {
  return method !== 'GET' && path !== '/contact/list';
}

function reportOf({ code, signal, stdout, stderr }: Ended, workDir: string): Report {
  const summary = summarySchema.safeParse(jsonOrNothing(stdout));
  if (!summary.success) {
    throw new Error(`no summary; code ${code}, signal ${signal}\n${stdout}\n${stderr}`);
  }
  const { run } = summary.data;
  const folder = join(workDir, 'runs', run);
  return {
    ...summary.data,
    code,
    folder,
    csv: (name) => (existsSync(join(folder, name)) ? readCsv(join(folder, name)) : undefined),
    outcomes: () => outcomesOf(join(workDir, 'journal.db'), run),
  };
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function readCsv(path: string): CsvFile {
  return z
    .array(z.record(z.string(), z.string()))
    .parse(parse(readFileSync(path), { columns: true, bom: true }));
}

// No file of a run names the rows that went well, and a test of every row's outcome needs them.
function outcomesOf(journal: string, run: string): ReadonlyMap<number, string> {
  const db = new Database(journal, { readonly: true, fileMustExist: true });
  try {
    const rows = db
      .prepare<[string], { line: number; outcome: string }>(
        'SELECT line, outcome FROM row WHERE run = (SELECT number FROM run WHERE id = ?) ORDER BY line',
      )
      .all(run);
    return new Map(rows.map(({ line, outcome }) => [line, outcome]));
  } finally {
    db.close();
  }
}

/** Somebody else's request to the workspace, as the user interface of a person there would send it. */
export async function ask(
  sandbox: Sandbox,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${sandbox.baseUrl}${path}`, {
    method,
    headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const fieldsSchema = z.object({ items: z.array(z.object({ name: z.string(), dataType: z.string() })) });

/** Edits a contact as somebody in the workspace would, and leaves everything else of it. */
export async function edit(
  sandbox: Sandbox,
  id: number,
  fields: Readonly<Record<string, string>>,
  customFields: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { body } = await ask(sandbox, 'GET', '/space/custom_field?limit=100');
  const types = new Map(fieldsSchema.parse(body).items.map(({ name, dataType }) => [name, dataType]));
  const { firstName, custom_fields } = contactWith(sandbox, id);
  const standing = custom_fields.flatMap(({ name, value }) =>
    value === null ? [] : [[name, value] as const],
  );
  const values = new Map([...standing, ...Object.entries(customFields)]);
  const custom = [...values].map(([name, text]) => ({ name, value: typed(text, types.get(name)) }));
  const { status } = await ask(sandbox, 'PUT', `/contact/id:${id}`, {
    firstName,
    ...fields,
    custom_fields: custom,
  });
  if (status !== 200) throw new Error(`the edit of contact ${id} was answered with ${status}`);
}

function typed(text: string, dataType: string | undefined): string | number | boolean {
  if (dataType === 'number') return Number(text);
  return dataType === 'checkbox' ? text === 'true' : text;
}

type ContactRecord = ReturnType<Sandbox['contacts']>[number];

export function contactWith(sandbox: Sandbox, id: number): ContactRecord {
  const found = sandbox.contacts().find((contact) => contact.id === id);
  if (found === undefined) throw new Error(`there is no contact ${id}`);
  return found;
}

/** The only contact with that e-mail. */
export function contactOf(sandbox: Sandbox, email: string): ContactRecord {
  const [found, ...others] = sandbox.contacts().filter((contact) => contact.email === email);
  if (found === undefined || others.length > 0)
    throw new Error(`${email} is ${others.length + 1} contacts or none`);
  return found;
}

/** A custom field of a contact, null where it has none. */
export function customField(
  { custom_fields }: Pick<ContactRecord, 'custom_fields'>,
  name: string,
): string | null {
  return custom_fields.find((field) => field.name === name)?.value ?? null;
}
