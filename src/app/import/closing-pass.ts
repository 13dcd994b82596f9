import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ContactSnapshot, takeContactSnapshot } from '../../identity/snapshot.ts';
import {
  addRowProblem,
  type JournalDatabase,
  listUnresolvedCreatedRows,
  listWrittenSteps,
  type RunJournal,
  type RunRecord,
  recordCreatedContact,
  removeRowProblems,
  type WrittenStep,
} from '../../journal/index.ts';
import { type Identifier, parseIdentifier } from '../../model/identifier.ts';
import type { Problem } from '../../model/problem.ts';
import { contactCreateStep } from '../../steps/create-contact.ts';
import { listContactPages } from './lookup-strategy.ts';
import type { ImportRequest } from './request.ts';

const pageSize = 1_000;

/** The parts of an import that its closing pass uses. */
interface Closing
  extends Pick<ImportRequest, 'workspace' | 'workDir' | 'listen' | 'clock' | 'waits' | 'stop'> {
  readonly journal: Pick<RunJournal, 'lastSent'>;
  /** The longest time in milliseconds until a new contact shows in the list. */
  readonly settleMs: number;
  readonly maxPeoplePerPhone: number;
}

/**
 * Reads the contact list once more after an import that created contacts without a look-up. Each created contact whose
 * identifiers now lead to more than one contact gets a problem: another client created the same person. Records the ids
 * of created contacts that it finds. An interrupted pass starts over.
 */
export async function recheckCreatedContacts(
  closing: Closing,
  file: JournalDatabase,
  run: RunRecord,
): Promise<void> {
  const { workspace, workDir, listen, journal, maxPeoplePerPhone } = closing;
  const sentAt = journal.lastSent(contactCreateStep.name);
  if (sentAt === undefined) return;
  await untilShown(closing, sentAt);
  const path = join(workDir, 'spool', `${run.id}.closing.db`);
  const taken = await takeContactSnapshot(path, listContactPages(workspace), {
    mostPages: Number.POSITIVE_INFINITY,
  });
  if (taken.kind !== 'taken') throw new Error('a list without a bound was given up');
  const { snapshot } = taken;
  try {
    const doubles = await noteDoubles(closing, file, run, (step) =>
      contactsOf(step, snapshot, maxPeoplePerPhone),
    );
    await noteIds(closing, file, run, snapshot);
    const found =
      doubles === 0
        ? 'no contact that the import created is there twice'
        : `${doubles} of the contacts that the import created ${doubles === 1 ? 'is' : 'are'} there twice`;
    listen({
      kind: 'note',
      text: `The contact list was read again (policy.workspace: exclusive): ${found}.`,
    });
  } finally {
    snapshot.close();
  }
}

/** Waits until the last created contact shows in the list: before that, its duplicate would be listed alone. */
async function untilShown(
  { listen, clock, waits = clock, stop, settleMs }: Closing,
  sentAt: number,
): Promise<void> {
  const left = sentAt + settleMs - waits.now();
  if (left <= 0) return;
  const seconds = Math.ceil(left / 1_000);
  listen({
    kind: 'note',
    text: `Waiting until the last new contact shows in the list, ${seconds} ${seconds === 1 ? 'second' : 'seconds'} (limits.settle); then the list is read once more, for people who are there twice (policy.workspace: exclusive).`,
  });
  await waits.sleep(left, stop.signal);
}

/** The problem code of a row whose person another client created, too. */
export const doubledContactCode = 'identity.doubled';

function doubled(contacts: readonly number[]): Problem {
  const ids = contacts.join(' and ');
  const reason = `the same person was also created outside of this import while it ran: their e-mail or phone leads to contacts ${ids}`;
  return { code: doubledContactCode, column: null, reason };
}

/**
 * Notes a problem for each created contact that exists twice, one page at a time so that other work gets its turn.
 * Returns the number of such contacts.
 */
async function noteDoubles(
  { stop }: Closing,
  file: JournalDatabase,
  run: RunRecord,
  contactsOfCreated: (step: WrittenStep) => readonly number[],
): Promise<number> {
  // Duplicates found by an interrupted pass may have been fixed since.
  removeRowProblems(file, run.number, doubledContactCode);
  let doubles = 0;
  let after = { seq: -1, name: '\uffff', item: '' };
  for (;;) {
    stop.signal.throwIfAborted();
    const page = listWrittenSteps(file, run, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return doubles;
    after = last;
    const notePage = file.transaction(() => {
      for (const step of page) {
        const contacts = step.name === contactCreateStep.name ? contactsOfCreated(step) : [];
        if (contacts.length < 2) continue;
        addRowProblem(file, run.number, step.seq, doubled(contacts));
        doubles += 1;
      }
    });
    notePage.immediate();
    await nextTurn();
  }
}

/**
 * Records the contact id of each row whose contact was created, or may have been, and has no known id yet. Skips a row
 * whose identifier does not lead to exactly one contact.
 */
async function noteIds(
  { stop, maxPeoplePerPhone }: Closing,
  file: JournalDatabase,
  run: RunRecord,
  snapshot: ContactSnapshot,
): Promise<void> {
  let after = -1;
  for (;;) {
    stop.signal.throwIfAborted();
    const page = listUnresolvedCreatedRows(file, run, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.seq;
    const notePage = file.transaction(() => {
      for (const { seq, identifier } of page) {
        if (identifier === null) continue;
        const [contact, ...more] = listedUnder(parseIdentifier(identifier), snapshot, maxPeoplePerPhone);
        if (contact !== undefined && more.length === 0) recordCreatedContact(file, run.number, seq, contact);
      }
    });
    notePage.immediate();
    await nextTurn();
  }
}

/** Returns the ids of the contacts with an identifier; none for a phone that more than `mostPeople` contacts share. */
function listedUnder(
  identifier: Identifier,
  snapshot: ContactSnapshot,
  mostPeople: number,
): readonly number[] {
  if (identifier.kind === 'phone' && snapshot.isSharedPhone(identifier.value, mostPeople)) return [];
  return snapshot.idsUnder(identifier);
}

/** Returns the ids of the contacts that the identifiers of a create lead to. */
function contactsOf(
  { intent }: WrittenStep,
  snapshot: ContactSnapshot,
  mostPeople: number,
): readonly number[] {
  const { identifiers, folded = [] } = contactCreateStep.parse(intent);
  const contacts = [...identifiers, ...folded].flatMap((each) => listedUnder(each, snapshot, mostPeople));
  return [...new Set(contacts)].sort((a, b) => a - b);
}
