import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type AskedPerson,
  countPerson,
  findPerson,
  findRun,
  forgetPerson,
  isForgottenPerson,
  type JournalFile,
  type KnownPerson,
  listRuns,
  makePseudonyms,
  openJournalFile,
  type PersonCounts,
  searchFor,
  takeAllLocks,
  type WithoutTexts,
  withoutTexts,
} from '../journal/index.ts';
import type { Clock } from '../model/ports.ts';
import { refreshReport } from '../report/run-files.ts';
import { scrubber } from '../report/scrub.ts';
import { compactDatabase } from '../storage/sqlite.ts';
import { holdsTexts } from './search-files.ts';
import { shownWorkDir } from './work-dir.ts';
import { runOfFolder, type WorkFile, workFiles } from './work-files.ts';

/** What a work dir has of a person. */
export interface FoundPerson {
  /** Whether the journal has anything of them, or had until they were forgotten. */
  readonly known: 'known' | 'forgotten' | 'unknown';
  /** How much the journal has of them. */
  readonly counts: PersonCounts;
  /** Runs with rows of the person. */
  readonly runs: number;
  /** Files, from the work dir, in which their e-mail or phone is. */
  readonly files: readonly string[];
  /** The complete exports that are still in their folders. */
  readonly exports: readonly ExportFound[];
  /** Inputs that the person was read from. */
  readonly inputs: readonly string[];
}

/** A complete export, and whether it holds the person. */
export interface ExportFound {
  /** The folder of the export. */
  readonly folder: string;
  /** Whether the person is in it; `perhaps` where a file of it cannot be searched. */
  readonly holds: 'yes' | 'no' | 'perhaps';
}

/** What became of a person in a work dir. */
export interface Forgotten extends FoundPerson {
  /** Files that were changed or removed, from the work dir. */
  readonly changed: readonly string[];
  /** Files that still have the person's e-mail or phone. */
  readonly left: readonly string[];
}

/** The stages of forgetting, in their order; a process that dies between two of them is finished by the next. */
export type ForgetStage = 'found' | 'file' | 'files' | 'journal' | 'committed';

export interface ForgetJob {
  readonly workDir: string;
  readonly asked: AskedPerson;
  readonly clock: Clock;
  /** Asks whether to go on; what it is told is all that is shown of the person. */
  readonly confirm: (found: FoundPerson) => Promise<boolean>;
  /** Takes the person out of what is kept outside of the work dir, before the journal forgets who they were. */
  readonly elsewhere?: (without: WithoutTexts) => Promise<void>;
  readonly reached?: (stage: ForgetStage) => void;
}

/** Removes a person from a work dir; undefined where that was not confirmed. Throws a FatalError 'locked' while a run works there. */
export async function forget({
  workDir,
  asked,
  clock,
  confirm,
  elsewhere,
  reached = () => undefined,
}: ForgetJob): Promise<Forgotten | undefined> {
  const journal = openJournalFile(workDir);
  const locks = lockedOr(journal, workDir);
  try {
    const shown = personIn(journal, asked);
    const found = await look({ journal, workDir, asked, ...shown });
    reached('found');
    if (!(await confirm(found))) return undefined;
    // Again: to confirm may have taken a person long.
    const { person, without } = personIn(journal, asked);
    const changed: string[] = [];
    for (const file of workFiles(workDir)) {
      if (await file.kind?.forget(file, { journal, person, without })) changed.push(file.name);
      reached('file');
    }
    reached('files');
    await elsewhere?.(without);
    const pages = await forgetInJournal(journal, { workDir, person, without, clock, reached });
    reached('committed');
    compactDatabase(journal);
    const left = await filesWith(workFiles(workDir), without);
    return { ...found, changed: [...changed, ...pages], left };
  } finally {
    locks.release();
    journal.close();
  }
}

function personIn(journal: JournalFile, asked: AskedPerson) {
  const person = findPerson(journal, asked);
  const without = withoutTexts(person.identifiers);
  searchFor(journal, without);
  return { person, without };
}

function lockedOr(journal: JournalFile, workDir: string): { release(): void } {
  try {
    return takeAllLocks(journal, workDir);
  } catch (error) {
    journal.close();
    throw error;
  }
}

/**
 * The pages are written from what is not committed yet: until the commit the journal says who the person was, so that a
 * process that dies leaves everything to the next.
 */
async function forgetInJournal(
  journal: JournalFile,
  {
    workDir,
    person,
    without,
    clock,
    reached,
  }: Pick<ForgetJob, 'workDir' | 'clock'> & {
    readonly person: KnownPerson;
    readonly without: WithoutTexts;
    readonly reached: (stage: ForgetStage) => void;
  },
): Promise<readonly string[]> {
  journal.pragma('secure_delete = ON');
  const runs = new Set(person.rows.map(({ id }) => id));
  const pages: string[] = [];
  journal.exec('BEGIN IMMEDIATE');
  try {
    forgetPerson(journal, person, makePseudonyms(journal), clock.now());
    for (const { kind, path, name } of workFiles(workDir)) {
      const id = runOfFolder(name) ?? '';
      const isAffected = kind?.page === true && (runs.has(id) || (await holdsTexts(path, without)));
      const run = isAffected ? findRun(journal, id) : undefined;
      if (run?.kind !== 'import') continue;
      await refreshReport({
        ...{ file: journal, run, runDir: dirname(path), workDir: shownWorkDir(workDir) },
        scrub: scrubber([process.env.LONGSHORE_TOKEN ?? '']),
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

async function look({
  journal,
  workDir,
  asked,
  person,
  without,
}: {
  readonly journal: JournalFile;
  readonly workDir: string;
  readonly asked: AskedPerson;
  readonly person: KnownPerson;
  readonly without: WithoutTexts;
}): Promise<FoundPerson> {
  const counts = countPerson(journal);
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
    files: await filesWith(workFiles(workDir), without),
    exports: await Promise.all([...new Set(folders)].map((folder) => searchExport(folder, without))),
    inputs: [...new Set(inputs)],
  };
}

async function filesWith(files: readonly WorkFile[], without: WithoutTexts): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { path, name, kind } of files) {
    if (kind?.search === 'never') continue;
    if (await holdsTexts(path, without, kind?.search === 'otherProcess')) found.push(name);
  }
  return found;
}

/** Packed ones say nothing to a search of their bytes. */
const packed = /\.(xlsx|parquet|gz|zip)$/i;

async function searchExport(folder: string, without: WithoutTexts): Promise<ExportFound> {
  let holds: ExportFound['holds'] = 'no';
  for (const { path, name } of workFiles(folder)) {
    if (packed.test(name)) holds = 'perhaps';
    else if (await holdsTexts(path, without)) return { folder, holds: 'yes' };
  }
  return { folder, holds };
}
