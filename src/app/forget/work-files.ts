import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import {
  findRunById,
  findWorkspacePlace,
  type IdentifierRedactor,
  type JournalDatabase,
  type PersonRecords,
  type RunRecord,
} from '../../journal/index.ts';
import { formatRowPlace } from '../../model/row-place.ts';
import { runFileNames } from '../../report/file-names.ts';
import { forgetContacts } from '../../sandbox/index.ts';
import { removeDatabase } from '../../storage/sqlite.ts';
import {
  forgetPersonInPlan,
  forgetPersonInSyncState,
  forgetPersonInWorkspaceCopy,
  isPersonInStagingFile,
  type PersonSearchCriteria,
} from './databases.ts';
import {
  forgetPersonInListFile,
  forgetPersonInTextFile,
  type RunFileSearchCriteria,
} from './report/forget-list.ts';

/** A person to remove from the files of a work dir. */
interface ForgottenPerson {
  readonly journal: JournalDatabase;
  readonly person: PersonRecords;
  readonly without: IdentifierRedactor;
}

/** Removes a person from a file; returns true if it was changed or removed. Idempotent. */
type Forget = (file: WorkFile, person: ForgottenPerson) => boolean | Promise<boolean>;

/** A kind of file in a work dir. */
export interface WorkFileKind {
  /** A pattern relative to the work dir: `*` is any name or part of one, `**` any path. */
  readonly path: string;
  readonly forget: Forget;
  /**
   * How the file is searched: `otherProcess`, by a child process, because this process has it open; `never`, not at
   * all, because closing it would release a lock. Undefined for a search in this process.
   */
  readonly search?: 'otherProcess' | 'never';
  /** Set for the report page, which is rewritten from the journal afterwards. */
  readonly page?: true;
}

/** Every kind of file that Longshore writes into a work dir; the first matching pattern counts. */
export const workFileKinds: readonly WorkFileKind[] = [
  { path: 'journal.db', forget: keep, search: 'otherProcess' },
  { path: 'sandbox.db', forget: forgetInSandbox },
  { path: 'locks/*.lock', forget: keep, search: 'never' },
  { path: 'fleet-workspace', forget: keep },
  { path: 'fleet-workspace.part', forget: keep },
  // The files of a run.
  { path: `runs/*/${runFileNames.report}`, forget: forgetInPage, page: true },
  { path: 'runs/*/staging.db', forget: removeStaging },
  { path: 'runs/*/*.csv', forget: forgetLines },
  { path: `runs/*/${runFileNames.summary}`, forget: forgetTexts },
  { path: `runs/*/${runFileNames.verificationPage}`, forget: forgetTexts },
  { path: `runs/*/${runFileNames.verificationData}`, forget: forgetTexts },
  { path: 'runs/*/verification-all.html', forget: forgetTexts },
  { path: 'runs/*/verification-all.json', forget: forgetTexts },
  { path: `runs/*/${runFileNames.log}`, forget: forgetTexts },
  { path: 'runs/*/log.*.ndjson', forget: forgetTexts },
  // Edits saved by the studio; the CSV list of the same name has them, too.
  { path: 'runs/*/corrected-rejects.json', forget: remove },
  { path: 'runs/*/decided-comments.json', forget: remove },
  { path: 'runs/*/answered-same-person.json', forget: remove },
  // Temporary files that a killed command did not remove.
  { path: 'runs/*/.*.part', forget: remove },
  // A run needs its plans and workspace copies, so only the person is removed from them; the other spool files are
  // removed, and read again when needed.
  { path: 'spool/*.plan.db', forget: inDatabase(forgetPersonInPlan) },
  { path: 'spool/workspace-*.db', forget: inDatabase(forgetPersonInWorkspaceCopy) },
  { path: 'spool/**', forget: remove },
  { path: 'exports/*/*.db', forget: inDatabase(forgetPersonInSyncState) },
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

const patterns = workFileKinds.map((kind) => {
  const parts = kind.path.replaceAll('.', '\\.').split(/(\*+)/);
  const source = parts.map((part) => (part === '**' ? '.+' : part === '*' ? '[^/]+' : part)).join('');
  return { kind, pattern: new RegExp(`^${source}$`) };
});

/** The files that SQLite keeps beside a database. */
const beside = /-(wal|shm|journal)$/;

/** A file of a work dir. */
export interface WorkFile {
  readonly path: string;
  /** The path relative to the work dir, with slashes. */
  readonly name: string;
  /** Undefined for a file that Longshore does not write. */
  readonly kind: WorkFileKind | undefined;
}

/** Lists all files of a work dir, sorted by name, without SQLite's files beside a database; does not follow links. */
export function listWorkFiles(workDir: string): readonly WorkFile[] {
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
export interface PrunableEntry {
  readonly path: string;
  readonly kind: keyof typeof prunedFolders;
  readonly name: string;
}

/** Lists the entries of one kind that `prune` may remove completely. */
export function listPrunableEntries(workDir: string, kind: PrunableEntry['kind']): readonly PrunableEntry[] {
  const folder = join(workDir, prunedFolders[kind]);
  return listFolderEntries(folder).map(({ name }) => ({ path: join(folder, name), kind, name }));
}

/** Lists the entries of a folder without symbolic links; empty if there is no folder. */
export function listFolderEntries(folder: string): readonly Dirent[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isSymbolicLink());
}

/** Returns the id of the run in whose folder a file is; undefined for other files. */
export function extractRunId(name: string): string | undefined {
  return /^runs\/([^/]+)\//.exec(name)?.[1];
}

/** Returns the run that a file belongs to, by its folder or by its own name. */
function runOf({ name }: WorkFile, journal: JournalDatabase): RunRecord | undefined {
  const [, database] = /^(?:spool|exports\/[^/]+)\/(.+?)(?:\.plan)?\.db$/.exec(name) ?? [];
  const id = extractRunId(name) ?? database;
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
  return await forgetPersonInTextFile(path, without);
}

/** Removes the person's texts from a page. Leaves the page of an import, which is rewritten from the journal. */
async function forgetInPage(file: WorkFile, person: ForgottenPerson): Promise<boolean> {
  return runOf(file, person.journal)?.kind === 'import' ? false : await forgetTexts(file, person);
}

async function forgetLines(file: WorkFile, person: ForgottenPerson): Promise<boolean> {
  // verification-all.csv has lines of several runs.
  const isOfAll = basename(file.name) === 'verification-all.csv';
  const run = isOfAll ? undefined : runOf(file, person.journal)?.id;
  return await forgetPersonInListFile(file.path, run, namedIn(file, person));
}

function inDatabase(work: (path: string, person: PersonSearchCriteria) => boolean): Forget {
  return (file, person) => work(file.path, namedIn(file, person));
}

/** Removes the staging file of an unfinished export if the person is in it: the export fetches everything again. */
function removeStaging(file: WorkFile, person: ForgottenPerson): boolean {
  return isPersonInStagingFile(file.path, namedIn(file, person)) && remove(file);
}

/** Returns the ids, keys and rows by which the person is found in a file of a run. */
function namedIn(
  file: WorkFile,
  { journal, person: { contacts, rows, keys }, without }: ForgottenPerson,
): RunFileSearchCriteria {
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
