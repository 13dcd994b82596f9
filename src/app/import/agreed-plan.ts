import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { toComparableEmail, toComparablePhone } from '../../identity/comparable.ts';
import { createContactFingerprint } from '../../identity/contact-fingerprint.ts';
import {
  type JournalDatabase,
  type RunBinding,
  type RunRecord,
  readLastSessionNumber,
  setRunPlan,
} from '../../journal/index.ts';
import { type CommandFactory, hint } from '../../model/command.ts';
import type { Contact } from '../../model/contact.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { anyJsonColumn, textColumn } from '../../storage/columns.ts';
import { makeOwnerOnlyFolder } from '../../storage/own-folder.ts';
import { prepareQuery } from '../../storage/sql.ts';
import {
  createEmptyDatabaseFile,
  openSqlite,
  removeDatabase,
  type SqliteConnection,
} from '../../storage/sqlite.ts';
import { firstPlannedId, loadPlanFacts, openPlanFile, type PlanFacts } from '../run/plan-file.ts';

/** A plan that an import follows exactly: it sends nothing else. */
export interface BoundPlan {
  /** The most rows that the import takes. */
  readonly limit: number;
  /**
   * Returns true if a contact is unchanged since the plan read it, if the plan creates it, or if this import may have
   * changed it.
   */
  isAsSeen(contact: Contact): boolean;
  /**
   * Returns true if the plan has this step with an equal effect, after recording that this import may change the
   * contacts of the effect.
   */
  takes(step: PlannedName, effect: unknown): boolean;
  close(): void;
}

interface PlannedName {
  readonly seq: number;
  readonly name: string;
  readonly item: string;
}

const keptSuffix = '.plan.db';

/** Returns the path of the work dir's copy of a run's plan, which every session of the run reads. */
function keptPath(workDir: string, run: Pick<RunRecord, 'id'>): string {
  return join(workDir, 'spool', `${run.id}${keptSuffix}`);
}

/** Returns the facts of a plan file. Throws a FatalError (usage) if it is not a plan file. */
export function loadPlanFactsFromPath(path: string): PlanFacts {
  const file = openPlanFile(path);
  try {
    return loadPlanFacts(file);
  } finally {
    file.close();
  }
}

/** The properties of an import that must match those of its plan. */
export interface PlanPreconditions
  extends Pick<RunBinding, 'pipeline' | 'input' | 'mapping' | 'selection' | 'full'>,
    Pick<PlanFacts, 'place' | 'session'> {}

/** Returns the reason why a plan cannot be used for an import; undefined where it can. */
export function findPlanMismatch(
  facts: PlanPreconditions & Pick<PlanFacts, 'target'>,
  now: PlanPreconditions,
): string | undefined {
  const reasons: readonly (readonly [differs: boolean, why: string])[] = [
    [facts.pipeline !== now.pipeline, `it was made for the pipeline ${facts.pipeline}`],
    [facts.place !== now.place, `it was made for another workspace, ${facts.target}`],
    [facts.input !== now.input, 'the input has changed since it was made'],
    [facts.mapping !== now.mapping, 'the mapping has changed since it was made'],
    [facts.full !== now.full, 'it was made with or without --full, unlike this import'],
    [!isDeepStrictEqual(facts.selection, now.selection), 'it was made for other rows of the input'],
    [facts.session !== now.session, 'another import has run since it was made'],
  ];
  return reasons.find(([differs]) => differs)?.[1];
}

/** Throws a FatalError (usage) if the plan was made for another import, or is out of date. */
export function assertPlanUsable(
  path: string,
  journal: JournalDatabase,
  now: Omit<PlanPreconditions, 'session'> & { readonly file: string },
  command: CommandFactory,
): void {
  const why = findPlanMismatch(loadPlanFactsFromPath(path), {
    ...now,
    session: readLastSessionNumber(journal, now.place),
  });
  if (why === undefined) return;
  throw new FatalError('usage', `this plan cannot be used: ${why}. Nothing was sent.`, {
    place: { file: path },
    next: hint`Make a new one: ${command('plan', now.file, '--out', path)}`,
  });
}

/** Copies a plan into the work dir, unless the run has this copy already, and returns the run bound to the plan. */
export function bindRunToPlan(
  journal: JournalDatabase,
  path: string,
  workDir: string,
  run: RunRecord,
): RunRecord {
  const kept = keptPath(workDir, run);
  if (run.plan !== path || !existsSync(kept)) {
    // The copy is renamed into place once it is complete: after a kill in between, the run copies the plan again.
    const part = `${kept}.part`;
    createEmptyDatabaseFile(part);
    copyFileSync(path, part);
    const file = openSqlite(part);
    try {
      file.pragma('journal_mode = WAL');
      file.exec('CREATE TABLE changed (contact INTEGER PRIMARY KEY) STRICT');
    } finally {
      file.close();
    }
    removeDatabase(kept);
    renameSync(part, kept);
  }
  return run.plan === path ? run : setRunPlan(journal, run, path);
}

/** Copies a work dir's copies of plans to another work dir, so that the runs bound to them can be planned there. */
export async function copyBoundPlans(workDir: string, other: string): Promise<void> {
  const [from, to] = [join(workDir, 'spool'), join(other, 'spool')];
  const kept = (await readdir(from)).filter((name) => name.endsWith(keptSuffix));
  if (kept.length > 0) makeOwnerOnlyFolder(to);
  for (const name of kept) {
    createEmptyDatabaseFile(join(to, name));
    const file = openSqlite(join(from, name));
    try {
      // The backup includes what a killed run has left in the write-ahead log.
      await file.backup(join(to, name));
    } finally {
      file.close();
    }
  }
}

/** Opens the plan of a run. Throws a FatalError('usage') if the copy in the work dir is missing. */
export function openBoundPlan(workDir: string, run: RunRecord, command: CommandFactory): BoundPlan {
  const kept = keptPath(workDir, run);
  if (existsSync(kept)) return new OpenPlan(openPlanFile(kept, { readonly: false }));
  throw new FatalError('usage', `run ${run.id} applies a plan, and its copy in the work dir is missing.`, {
    place: { file: kept },
    next: hint`Name the plan again: ${command('import', run.file, '--plan', run.plan ?? 'plan.db')}`,
  });
}

/** Removes the work dir's copy of a run's plan, and unbinds an unfinished run from it. */
export function unbindRunFromPlan(journal: JournalDatabase, workDir: string, run: RunRecord): void {
  if (run.state !== 'finished') setRunPlan(journal, run, null);
  removeDatabase(keptPath(workDir, run));
}

class OpenPlan implements BoundPlan {
  readonly limit: number;
  readonly #file: SqliteConnection;
  readonly #seen;
  readonly #isChanged;
  readonly #isCreated;
  readonly #changed;
  readonly #step;

  constructor(file: SqliteConnection) {
    // Steps are durable in the journal. A power failure here loses at most the note that this import changed a contact;
    // a row that leads to the contact is then stale.
    file.pragma('synchronous = NORMAL');
    this.#file = file;
    this.limit = loadPlanFacts(file).limit ?? Number.POSITIVE_INFINITY;
    this.#seen = prepareQuery(
      file,
      { fingerprint: textColumn },
      'SELECT fingerprint FROM seen WHERE contact = ?',
    );
    this.#isChanged = file.prepare<[number], object>('SELECT 1 FROM changed WHERE contact = ?');
    this.#isCreated = file.prepare<[number, ...(string | null)[]], object>(
      'SELECT 1 FROM contact WHERE id >= ? AND (email = ? OR phone = ?) AND email IS ? AND phone IS ?',
    );
    this.#changed = file.prepare<[number]>('INSERT OR IGNORE INTO changed VALUES (?)');
    this.#step = prepareQuery(
      file,
      { intent: anyJsonColumn },
      'SELECT intent FROM step WHERE seq = ? AND name = ? AND item = ?',
    );
  }

  isAsSeen(contact: Contact): boolean {
    if (this.#isChanged.get(contact.id) !== undefined) return true;
    const seen = this.#seen.get(contact.id);
    return seen === undefined
      ? this.#isOfPlan(contact)
      : seen.fingerprint === createContactFingerprint(contact);
  }

  /** The answer to a create has no id, so a contact that the plan creates is recognised by its e-mail and phone. */
  #isOfPlan(contact: Contact): boolean {
    const [email, phone] = [toComparableEmail(contact.email), toComparablePhone(contact.phone)];
    return this.#isCreated.get(firstPlannedId, email, phone, email, phone) !== undefined;
  }

  takes({ seq, name, item }: PlannedName, effect: unknown): boolean {
    const planned = this.#step.get(seq, name, item);
    if (planned === undefined) return false;
    const isSame = isDeepStrictEqual(comparable(planned.intent, effect), comparable(effect, effect));
    if (isSame) for (const contact of contactsOf(effect)) this.#changed.run(contact);
    return isSame;
  }

  close(): void {
    this.#file.close();
  }
}

/**
 * Returns an effect as plain JSON: custom fields sorted, and placeholder ids of planned contacts replaced by the
 * contact ids of the effect `actual`.
 */
function comparable(effect: unknown, actual: unknown): unknown {
  const ids = contactsOf(actual);
  const plain: unknown = JSON.parse(
    JSON.stringify(effect, (key, value) => {
      if (key === 'custom_fields' && Array.isArray(value))
        return value.map((entry) => JSON.stringify(entry)).sort();
      if (key === 'contactId' && Number(value) >= firstPlannedId) return ids[0];
      if (key === 'contactIds' && Array.isArray(value))
        return value.map((id, n) => (Number(id) >= firstPlannedId ? ids[n] : id));
      return value;
    }),
  );
  return plain;
}

function contactsOf(effect: unknown): readonly number[] {
  if (typeof effect !== 'object' || effect === null) return [];
  if ('contactId' in effect && typeof effect.contactId === 'number') return [effect.contactId];
  if ('contactIds' in effect && Array.isArray(effect.contactIds)) return effect.contactIds.map(Number);
  return [];
}
