import { join } from 'node:path';
import { type Snapshot, takeSnapshot } from '../../identity/snapshot.ts';
import {
  type DoubleRecord,
  type JournalFile,
  lastSent,
  type RunRecord,
  writeDoubles,
  writtenAfter,
} from '../../journal/index.ts';
import { identifierText } from '../../model/identifier.ts';
import { createContact } from '../../steps/create-contact.ts';
import { contactPages } from './lookup-strategy.ts';
import type { ImportRequest } from './request.ts';

const pageSize = 1_000;

/**
 * Reads the contact list once more after an import that created people without a look-up, and records each of them whose
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
    writeDoubles(file, run.number, doubles);
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

function* doublesIn(
  snapshot: Snapshot,
  file: JournalFile,
  run: RunRecord,
  mostPeople: number,
): Generator<DoubleRecord> {
  let after = { seq: -1, name: '\uffff', item: '' };
  for (;;) {
    const page = writtenAfter(file, run, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
    for (const { seq, name, line, intent } of page) {
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
      yield { seq, line: line ?? 0, identifiers: identifiers.map(identifierText), contacts: [...contacts] };
    }
  }
}
