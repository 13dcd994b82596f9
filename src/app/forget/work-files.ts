import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import {
  findRunById,
  findWorkspacePlace,
  type JournalFile,
  type PersonRecords,
  type RunRecord,
  type TextRemover,
} from '../../journal/index.ts';
import { formatRowPlace } from '../../model/row-place.ts';
import { fileNames } from '../../report/file-names.ts';
import { forgetContacts } from '../../sandbox/index.ts';
import { removeDatabase } from '../../storage/sqlite.ts';
import {
  forgetInCopy,
  forgetInPlan,
  forgetInSyncState,
  isInStaging,
  type PersonInDatabase,
} from './databases.ts';
import { forgetInList, forgetInText, type PersonInRun } from './report/forget-list.ts';

/** A person who is taken out of the files of a work dir. */
interface ForgottenPerson {
  readonly journal: JournalFile;
  readonly person: PersonRecords;
  readonly without: TextRemover;
}

/** Takes a person out of a file; returns whether it was changed or removed. A second call does no harm. */
type Forget = (file: WorkFile, person: ForgottenPerson) => boolean | Promise<boolean>;

/** A kind of file in a work dir. */
export interface FileKind {
  /** From the work dir: `*` is any name or part of one, `**` any path. */
  readonly path: string;
  readonly forget: Forget;
  /** How its bytes are searched: not in this process where that has it open, and never where closing it drops a lock. */
  readonly search?: 'otherProcess' | 'never';
  /** Set where the page of an import is written again from the journal, once the person is out of that. */
  readonly page?: true;
}

/**
 * Every kind of file that this program writes into a work dir, the first that fits; `forget`, its search for what is left, and
 * the tests loop over these.
 */
export const fileKinds: readonly FileKind[] = [
  { path: 'journal.db', forget: keep, search: 'otherProcess' },
  { path: 'sandbox.db', forget: forgetInSandbox },
  { path: 'locks/*.lock', forget: keep, search: 'never' },
  { path: 'fleet-workspace', forget: keep },
  { path: 'fleet-workspace.part', forget: keep },
  // Of a run.
  { path: `runs/*/${fileNames.report}`, forget: forgetInPage, page: true },
  { path: 'runs/*/staging.db', forget: removeStaging },
  { path: 'runs/*/*.csv', forget: forgetLines },
  { path: `runs/*/${fileNames.summary}`, forget: forgetTexts },
  { path: `runs/*/${fileNames.verificationPage}`, forget: forgetTexts },
  { path: `runs/*/${fileNames.verificationData}`, forget: forgetTexts },
  { path: 'runs/*/verification-all.html', forget: forgetTexts },
  { path: 'runs/*/verification-all.json', forget: forgetTexts },
  { path: `runs/*/${fileNames.log}`, forget: forgetTexts },
  { path: 'runs/*/log.*.ndjson', forget: forgetTexts },
  // Edits made in the studio, which the list of the same name holds, too.
  { path: 'runs/*/corrected-rejects.json', forget: remove },
  { path: 'runs/*/decided-comments.json', forget: remove },
  // Left half written by a killed command.
  { path: 'runs/*/.*.part', forget: remove },
  // Read again from the input or the workspace, but for plans and copies that a run needs as they are.
  { path: 'spool/*.plan.db', forget: inDatabase(forgetInPlan) },
  { path: 'spool/workspace-*.db', forget: inDatabase(forgetInCopy) },
  { path: 'spool/**', forget: remove },
  { path: 'exports/*/*.db', forget: inDatabase(forgetInSyncState) },
  // Work dirs of `rehearse --keep`.
  { path: 'rehearsals/**', forget: remove },
  // Plans made in the studio.
  { path: 'plans/**', forget: remove },
  // Copies of the files sent to the studio, and the output of the commands that it started.
  { path: 'studio/uploads/**', forget: remove },
  { path: 'studio/processes/*/process.json', forget: forgetTexts },
  { path: 'studio/processes/*/.process.json.part', forget: remove },
  { path: 'studio/processes/*/stdout', forget: remove },
  { path: 'studio/processes/*/stderr', forget: remove },
];

/** The folders whose entries `prune` removes as a whole. */
const prunedFolders = { run: 'runs', upload: 'studio/uploads', command: 'studio/processes' } as const;

const patterns = fileKinds.map((kind) => {
  const parts = kind.path.replaceAll('.', '\\.').split(/(\*+)/);
  const source = parts.map((part) => (part === '**' ? '.+' : part === '*' ? '[^/]+' : part)).join('');
  return { kind, pattern: new RegExp(`^${source}$`) };
});

/** SQLite keeps these beside a database, and they belong to it. */
const beside = /-(wal|shm|journal)$/;

/** A file of a work dir. */
export interface WorkFile {
  readonly path: string;
  /** From the work dir, with slashes. */
  readonly name: string;
  /** Undefined for a file that this program does not write. */
  readonly kind: FileKind | undefined;
}

/** Lists all files of a work dir but those that SQLite keeps beside its own; links are not followed. */
export function workFiles(workDir: string): readonly WorkFile[] {
  const files: WorkFile[] = [];
  for (const entry of readdirSync(workDir, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(workDir, path).split(sep).join('/');
    if (beside.test(name)) continue;
    files.push({ path, name, kind: patterns.find(({ pattern }) => pattern.test(name))?.kind });
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A file or a folder that is pruned as a whole. */
export interface PrunedEntry {
  readonly path: string;
  readonly kind: keyof typeof prunedFolders;
  readonly name: string;
}

/** Lists what a work dir has of a kind that is pruned as a whole. */
export function listPrunableEntries(workDir: string, kind: PrunedEntry['kind']): readonly PrunedEntry[] {
  const folder = join(workDir, prunedFolders[kind]);
  return listFolder(folder).map(({ name }) => ({ path: join(folder, name), kind, name }));
}

/** Lists a folder without links; nothing where there is none. */
export function listFolder(folder: string): readonly Dirent[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isSymbolicLink());
}

/** Returns the id of the run whose folder a file is in; undefined for other files. */
export function runIdOfFolder(name: string): string | undefined {
  return /^runs\/([^/]+)\//.exec(name)?.[1];
}

/** Returns the run that a file belongs to, by its folder or by its own name. */
function runOf({ name }: WorkFile, journal: JournalFile): RunRecord | undefined {
  const [, database] = /^(?:spool|exports\/[^/]+)\/(.+?)(?:\.plan)?\.db$/.exec(name) ?? [];
  const id = runIdOfFolder(name) ?? database;
  return id === undefined ? undefined : findRunById(journal, id);
}

function keep(): boolean {
  return false;
}

function remove({ path }: WorkFile): boolean {
  if (!existsSync(dirname(path))) return false;
  removeDatabase(path);
  return true;
}

async function forgetTexts({ path }: WorkFile, { without }: ForgottenPerson): Promise<boolean> {
  return await forgetInText(path, without);
}

/** The page of an import is written again from the journal. */
async function forgetInPage(file: WorkFile, person: ForgottenPerson): Promise<boolean> {
  return runOf(file, person.journal)?.kind === 'import' ? false : await forgetTexts(file, person);
}

async function forgetLines(file: WorkFile, person: ForgottenPerson): Promise<boolean> {
  // The lines of everything together are those of the runs that wrote last.
  const isOfAll = basename(file.name) === 'verification-all.csv';
  const run = isOfAll ? undefined : runOf(file, person.journal)?.id;
  return await forgetInList(file.path, run, namedIn(file, person));
}

function inDatabase(work: (path: string, person: PersonInDatabase) => boolean): Forget {
  return (file, person) => work(file.path, namedIn(file, person));
}

/** An unfinished export fetches everything again. */
function removeStaging(file: WorkFile, person: ForgottenPerson): boolean {
  return isInStaging(file.path, namedIn(file, person)) && remove(file);
}

/** Returns the person as named in a file: by the keys, contacts and rows of its run. */
function namedIn(
  file: WorkFile,
  { journal, person: { contacts, rows, keys }, without }: ForgottenPerson,
): PersonInRun {
  const run = runOf(file, journal);
  const places = new Map<string, Set<string>>();
  for (const { id, ...row } of rows) places.set(id, (places.get(id) ?? new Set()).add(formatRowPlace(row)));
  return {
    places,
    contacts: new Set(contacts.flatMap((each) => (each.workspace === run?.workspace ? each.contact : []))),
    seqs: new Set(rows.flatMap(({ id, seq }) => (id === run?.id ? seq : []))),
    keys: new Set(
      keys.flatMap(({ mapping, key }) => (mapping === run?.memory ? key.replace(/^key:/, '') : [])),
    ),
    without,
  };
}

function forgetInSandbox({ path }: WorkFile, { journal, person }: ForgottenPerson): boolean {
  const values = (kind: string) =>
    person.identifiers.flatMap((text) => (text.startsWith(kind) ? text.slice(kind.length) : []));
  const removed = forgetContacts(path, {
    emails: values('email:'),
    phones: values('phone:'),
    ids: (sandboxId) =>
      person.contacts.flatMap(({ workspace, contact }) =>
        findWorkspacePlace(journal, workspace) === `sandbox:${sandboxId}` ? contact : [],
      ),
  });
  return removed > 0;
}
