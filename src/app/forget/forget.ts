import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  countPersonRecords,
  createIdentifierRedactor,
  ensurePseudonymizer,
  findPersonRecords,
  findRunById,
  forgetPerson,
  type IdentifierRedactor,
  isForgottenPerson,
  type JournalDatabase,
  listRuns,
  openJournalDatabase,
  type PersonQuery,
  type PersonRecordCounts,
  type PersonRecords,
  registerPersonSqlFunctions,
  takeAllLocks,
} from '../../journal/index.ts';
import type { Clock } from '../../model/ports.ts';
import { createSecretScrubber } from '../../report/scrub.ts';
import { compactDatabase } from '../../storage/sqlite.ts';
import { refreshReport } from '../import/report/run-files.ts';
import type { Invocation } from '../run/command-line.ts';
import { fileMentionsPerson } from './search-files.ts';
import { extractRunId, listWorkFiles, type WorkFile } from './work-files.ts';

/** What was found of a person in a work dir. */
export interface PersonSearchResult {
  /**
   * `known`: the journal has records of the person; `forgotten`: it records only that the person was forgotten;
   * `unknown`: it has neither.
   */
  readonly known: 'known' | 'forgotten' | 'unknown';
  /** The numbers of the person's records in the journal. */
  readonly counts: PersonRecordCounts;
  /** Runs with rows of the person. */
  readonly runs: number;
  /** Paths, relative to the work dir, of the files that contain the person's e-mail or phone. */
  readonly files: readonly string[];
  /** The complete exports that are still in their folders. */
  readonly exports: readonly ExportSearchResult[];
  /** Inputs that the person was read from. */
  readonly inputs: readonly string[];
}

/** A complete export, and whether it holds the person. */
export interface ExportSearchResult {
  /** The folder of the export. */
  readonly folder: string;
  /** Whether the person is in it; `perhaps` where a file of it cannot be searched. */
  readonly holds: 'yes' | 'no' | 'perhaps';
}

/** The result of removing a person from a work dir. */
export interface ForgetResult extends PersonSearchResult {
  /** Paths, relative to the work dir, of the files that were changed or removed. */
  readonly changed: readonly string[];
  /** Paths, relative to the work dir, of the files that still contain the person's e-mail or phone. */
  readonly left: readonly string[];
}

/**
 * The stages of forgetting a person, in order; after a crash between two stages, the next `forget` completes the work.
 */
export type ForgetStage = 'found' | 'file' | 'files' | 'journal' | 'committed';

export interface ForgetOptions {
  readonly workDir: string;
  /** How commands are typed in the rewritten report pages, with the work dir. */
  readonly invocation: Invocation;
  readonly asked: PersonQuery;
  readonly clock: Clock;
  /** Asks for confirmation, and shows what was found of the person. */
  readonly confirm: (found: PersonSearchResult) => Promise<boolean>;
  /** Removes the person from files outside of the work dir; called before the journal forgets the person. */
  readonly elsewhere?: (without: IdentifierRedactor) => Promise<void>;
  readonly reached?: (stage: ForgetStage) => void;
}

/**
 * Removes a person from a work dir; returns undefined if not confirmed. Throws a FatalError (locked) while a run works
 * there.
 */
export async function forgetPersonInWorkDir({
  workDir,
  invocation,
  asked,
  clock,
  confirm,
  elsewhere,
  reached = () => undefined,
}: ForgetOptions): Promise<ForgetResult | undefined> {
  const journal = openJournalDatabase(workDir);
  const locks = lockAll(journal, workDir);
  try {
    const shown = personIn(journal, asked);
    const found = await searchWorkDir({ journal, workDir, asked, ...shown });
    reached('found');
    if (!(await confirm(found))) return undefined;
    // Read again: the confirmation may have taken long.
    const { person, without } = personIn(journal, asked);
    const changed: string[] = [];
    for (const file of listWorkFiles(workDir)) {
      if (await file.kind?.forget(file, { journal, person, without })) changed.push(file.name);
      reached('file');
    }
    reached('files');
    await elsewhere?.(without);
    const pages = await forgetInJournal(journal, { workDir, invocation, person, without, clock, reached });
    reached('committed');
    compactDatabase(journal);
    const left = await filesWith(listWorkFiles(workDir), without);
    return { ...found, changed: [...changed, ...pages], left };
  } finally {
    locks.release();
    journal.close();
  }
}

function personIn(journal: JournalDatabase, asked: PersonQuery) {
  const person = findPersonRecords(journal, asked);
  const without = createIdentifierRedactor(person.identifiers);
  registerPersonSqlFunctions(journal, without);
  return { person, without };
}

/** Takes all locks of a work dir; closes the journal if that fails. */
function lockAll(journal: JournalDatabase, workDir: string): { release(): void } {
  try {
    return takeAllLocks(journal, workDir);
  } catch (error) {
    journal.close();
    throw error;
  }
}

/**
 * Removes a person from the journal, and rewrites the report pages of imports before the commit, so that a `forget`
 * after a crash still finds the person. Returns the rewritten pages.
 */
async function forgetInJournal(
  journal: JournalDatabase,
  {
    workDir,
    invocation,
    person,
    without,
    clock,
    reached,
  }: Pick<ForgetOptions, 'workDir' | 'invocation' | 'clock'> & {
    readonly person: PersonRecords;
    readonly without: IdentifierRedactor;
    readonly reached: (stage: ForgetStage) => void;
  },
): Promise<readonly string[]> {
  journal.pragma('secure_delete = ON');
  const runs = new Set(person.rows.map(({ id }) => id));
  const pages: string[] = [];
  journal.exec('BEGIN IMMEDIATE');
  try {
    forgetPerson(journal, person, ensurePseudonymizer(journal), clock.now());
    for (const { kind, path, name } of listWorkFiles(workDir)) {
      const id = extractRunId(name) ?? '';
      const isAffected = kind?.page === true && (runs.has(id) || (await fileMentionsPerson(path, without)));
      const run = isAffected ? findRunById(journal, id) : undefined;
      if (run?.kind !== 'import') continue;
      await refreshReport({
        ...{ file: journal, run, runDir: dirname(path), invocation },
        scrub: createSecretScrubber([process.env.LONGSHORE_TOKEN ?? '']),
      });
      pages.push(name);
    }
    reached('journal');
    journal.exec('COMMIT');
  } catch (error) {
    journal.exec('ROLLBACK');
    throw error;
  }
  return pages;
}

async function searchWorkDir({
  journal,
  workDir,
  asked,
  person,
  without,
}: {
  readonly journal: JournalDatabase;
  readonly workDir: string;
  readonly asked: PersonQuery;
  readonly person: PersonRecords;
  readonly without: IdentifierRedactor;
}): Promise<PersonSearchResult> {
  const counts = countPersonRecords(journal);
  const runs = new Set(person.rows.map(({ id }) => id));
  const all = listRuns(journal, Number.MAX_SAFE_INTEGER);
  const isKnown = Object.values(counts).some((n) => n > 0);
  const inputs = all.flatMap(({ id, kind, source, inputName }) =>
    runs.has(id) && kind === 'import' ? (source ?? inputName) : [],
  );
  const folders = all.flatMap(({ folder }) => (folder !== null && existsSync(folder) ? folder : []));
  return {
    known: isKnown ? 'known' : isForgottenPerson(journal, asked) ? 'forgotten' : 'unknown',
    counts,
    runs: runs.size,
    files: await filesWith(listWorkFiles(workDir), without),
    exports: await Promise.all([...new Set(folders)].map((folder) => searchExport(folder, without))),
    inputs: [...new Set(inputs)],
  };
}

async function filesWith(
  files: readonly WorkFile[],
  without: IdentifierRedactor,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { path, name, kind } of files) {
    if (kind?.search === 'never') continue;
    if (await fileMentionsPerson(path, without, kind?.search === 'otherProcess')) found.push(name);
  }
  return found;
}

/** Compressed formats, whose bytes cannot be searched for texts. */
const packed = /\.(xlsx|parquet|gz|zip)$/i;

async function searchExport(folder: string, without: IdentifierRedactor): Promise<ExportSearchResult> {
  let holds: ExportSearchResult['holds'] = 'no';
  for (const { path, name } of listWorkFiles(folder)) {
    if (packed.test(name)) holds = 'perhaps';
    else if (await fileMentionsPerson(path, without)) return { folder, holds: 'yes' };
  }
  return { folder, holds };
}
