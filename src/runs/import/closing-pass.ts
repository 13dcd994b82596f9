import { join } from 'node:path';
import { type Snapshot, takeSnapshot } from '../../identity/snapshot.ts';
import { addProblem, type JournalFile, lastSent, type RunRecord, writtenAfter } from '../../journal/index.ts';
import type { Problem } from '../../model/problem.ts';
import { createContact } from '../../steps/create-contact.ts';
import { contactPages } from './lookup-strategy.ts';
import type { ImportRequest } from './request.ts';

const pageSize = 1_000;

/**
 * Reads the contact list once more after an import that created people without a look-up, and says of each of them whose
 * identifiers now lead to more than one contact: somebody else created them, too.
 */
export async function closingPass(
  { workspace, workDir, listen, clock, waits = clock, stop, pipeline }: ImportRequest,
  file: JournalFile,
  run: RunRecord,
): Promise<void> {
  const { limits, policy } = pipeline.import;
  const sentAt = lastSent(file, run.number, createContact.name);
  if (sentAt === undefined) return;
  // A contact that was just created does not show yet, and whom it doubles would stand there alone.
  await waits.sleep(Math.max(0, sentAt + limits.settle - waits.now()), stop.signal);
  const path = join(workDir, 'spool', `${run.id}.closing.db`);
  const taken = await takeSnapshot(path, contactPages(workspace), { mostPages: Number.POSITIVE_INFINITY });
  if (taken.kind !== 'taken') throw new Error('a list without a bound was given up');
  const { snapshot } = taken;
  try {
    const doubles = [...doublesIn(snapshot, file, run, policy.maxPeoplePerPhone)];
    file.transaction(() => {
      for (const { seq, contacts } of doubles) addProblem(file, run.number, seq, doubled(contacts));
    })();
    const found =
      doubles.length === 0
        ? 'nobody whom the import created is there twice'
        : `${doubles.length} of those whom the import created ${doubles.length === 1 ? 'is' : 'are'} there twice`;
    listen({
      kind: 'note',
      text: `The contact list was read again (policy.workspace: exclusive): ${found}.`,
    });
  } finally {
    snapshot.close();
  }
}

/** What is said of a row whose person somebody else created, too. */
export const doubledCode = 'identity.doubled';

function doubled(contacts: readonly number[]): Problem {
  const ids = contacts.join(' and ');
  const reason = `somebody else created the same person during the import: their e-mail or phone leads to contacts ${ids}`;
  return { code: doubledCode, column: null, reason };
}

interface Double {
  readonly seq: number;
  readonly contacts: readonly number[];
}

function* doublesIn(
  snapshot: Snapshot,
  file: JournalFile,
  run: RunRecord,
  mostPeople: number,
): Generator<Double> {
  let after = { seq: -1, name: '\uffff', item: '' };
  for (;;) {
    const page = writtenAfter(file, run, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
    for (const { seq, name, intent } of page) {
      if (name !== createContact.name) continue;
      const { identifiers } = createContact.parse(intent);
      const contacts = new Set(
        identifiers.flatMap(({ kind, value }) => {
          if (kind === 'phone' && snapshot.isSharedPhone(value, mostPeople)) return [];
          const asked = { email: null, phone: null, [kind]: value };
          return snapshot.find(asked).map(({ id }) => id);
        }),
      );
      if (contacts.size < 2) continue;
      yield { seq, contacts: [...contacts].sort((a, b) => a - b) };
    }
  }
}
