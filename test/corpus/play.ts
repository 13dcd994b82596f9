import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, parseDocument } from 'yaml';
import { run } from '../end-to-end/in-process.ts';
import { answeredBy } from './answer.ts';
import type { Export, Part } from './truth.ts';

/** What an import of a part left: its files, its words, and the mapping by which it was made. */
export interface Played {
  readonly part: Part;
  /** The lists of people that it reads. */
  readonly lists: readonly string[];
  readonly mapping: string;
  readonly pipeline: string;
  readonly draftWords: string;
  readonly checkJson: unknown;
  readonly summary: unknown;
  /** Files of the run by name. */
  readonly files: Readonly<Record<string, string>>;
  /** What went wrong so that it did not finish. */
  readonly failure: string | undefined;
  /** The draft took a sheet without people. */
  readonly wrongSheet: string | undefined;
}

/** Writes the export into the folder and imports it as a person would: draft, answers, check, import. */
export async function playExport(made: Export, folder: string): Promise<readonly Played[]> {
  for (const [name, bytes] of Object.entries(made.files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  writeFileSync(
    join(folder, 'workspace.json'),
    JSON.stringify({ users: made.users, contacts: made.contacts }),
  );
  const played: Played[] = [];
  for (const [at, part] of made.parts.entries()) {
    if (part.sheets.length === 0) {
      played.push(await playPart(part, [part.path === 'crm' ? 'contacts' : part.path], folder, `${at}`, []));
      continue;
    }
    const first = await playSheets(part, folder);
    played.push(...first);
  }
  return played;
}

/** One draft for all sheets, as long as it reads them all; the others one by one. */
async function playSheets(part: Part, folder: string): Promise<Played[]> {
  const drafted = await playPart(part, undefined, folder, 'book', []);
  const rest = part.sheets.filter((sheet) => !drafted.lists.includes(sheet));
  const played = [drafted];
  for (const [at, sheet] of rest.entries())
    played.push(await playPart(part, [sheet], folder, `sheet${at}`, ['--sheet', sheet]));
  return played;
}

async function playPart(
  part: Part,
  stated: readonly string[] | undefined,
  folder: string,
  out: string,
  more: readonly string[],
): Promise<Played> {
  const types = (args: readonly string[]) => run(args, {}, undefined, folder);
  const drafted = await types(['draft', part.path, '--out', out, ...more]);
  const file = (kind: string) => {
    const [name = ''] = existsSync(join(folder, out, kind)) ? readdirSync(join(folder, out, kind)) : [];
    return join(out, kind, name);
  };
  const paths = { mapping: file('mappings'), pipeline: file('pipelines') };
  const begun: Played = {
    ...{ part, lists: stated ?? [], mapping: '', pipeline: '', checkJson: null, summary: null, files: {} },
    ...{ draftWords: drafted.stdout, failure: undefined, wrongSheet: undefined },
  };
  if (drafted.code !== 0) return { ...begun, failure: `draft: ${drafted.stderr}` };
  const reads = (path: string) => readFileSync(join(folder, path), 'utf8');
  const lists = stated ?? sheetsOf(reads(paths.pipeline), part);
  // Who opens the drafted files sees that these are no people, and drafts the right sheet.
  if (stated === undefined && lists.length === 0) return { ...begun, wrongSheet: reads(paths.pipeline) };
  try {
    for (const path of Object.values(paths)) writeFileSync(join(folder, path), answeredBy(reads(path), part));
  } catch (error) {
    return { ...begun, lists, failure: String(error) };
  }
  const withTarget = parseDocument(reads(paths.pipeline));
  withTarget.setIn(['import', 'workspace', 'sandbox', 'seed'], join(folder, 'workspace.json'));
  writeFileSync(join(folder, paths.pipeline), withTarget.toString({ lineWidth: 0 }));
  const importing = ['import', paths.pipeline, '--workspace', 'sandbox', '--json'];
  const checked = await types(['check', paths.pipeline, '--json']);
  let imported = await types(importing);
  const refused = fieldOfOtherType.exec(imported.stderr);
  if (imported.code === 2 && refused !== null) {
    writeFileSync(join(folder, paths.mapping), ofType(reads(paths.mapping), refused.groups));
    imported = await types(importing);
  }
  const here = { ...begun, lists, mapping: reads(paths.mapping), pipeline: reads(paths.pipeline) };
  const summary = jsonOf(imported.stdout);
  const name = isRecord(summary) && typeof summary.run === 'string' ? summary.run : undefined;
  const files = name === undefined ? {} : filesOf(join(folder, '.longshore/runs', name));
  const ended = imported.code === 0 || imported.code === 3;
  const failure = ended
    ? undefined
    : `import ended with ${imported.code}: ${imported.stderr}${checked.stderr}`;
  return { ...here, checkJson: jsonOf(checked.stdout), summary, files, failure };
}

/** The error of a field that an earlier list was drafted with another type for, and that the workspace has by now. */
const fieldOfOtherType =
  /customFields\.(?<name>.+)\.type: the workspace's field is of type "(?<type>\w+)", not "\w+"/;

/** The mapping as a person corrects it after that error; values of another type are left out, and listed. */
function ofType(mapping: string, { name = '', type = '' }: Readonly<Record<string, string>> = {}): string {
  const corrected = parseDocument(mapping);
  corrected.setIn(['customFields', name, 'type'], type);
  corrected.setIn(['customFields', name, 'onInvalid'], 'drop');
  return corrected.toString({ lineWidth: 0 });
}

/** The sheets of people that the pipeline reads; it need not name the only one of a workbook. */
function sheetsOf(pipeline: string, { sheets, others }: Part): readonly string[] {
  const source: unknown = parse(pipeline)?.import?.source;
  const text = JSON.stringify(source);
  const namesNone = isRecord(source) && source.sheet === undefined && source.sheets === undefined;
  if (namesNone && sheets.length === 1 && others.length === 0) return sheets;
  return sheets.filter((sheet) => text.includes(JSON.stringify(sheet)));
}

function filesOf(folder: string): Record<string, string> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return Object.fromEntries(
    names
      .filter((name) => /\.(?:csv|json)$/.test(name))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
