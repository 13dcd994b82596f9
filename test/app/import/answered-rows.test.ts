import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readAnswerListDecisions } from '../../../src/app/import/approvals.ts';
import { formatSamePersonCsv } from '../../../src/app/import/report/lists.ts';
import { type RealImport, realImport } from './real-import.ts';

const mapping = `mapping: mailbox
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
`;

const header = 'First,Last,Email,Phone';

/** Imports, and answers the questions of that import. */
async function answer(real: RealImport, word: string) {
  let asked = '';
  await real.import({}, async ({ file, run }) => {
    asked = await text(Readable.from(formatSamePersonCsv(file, run)));
  });
  const path = join(real.folder, 'same-person.csv');
  writeFileSync(path, asked.replaceAll('\n,', `\n${word},`));
  const approvals = await readAnswerListDecisions(path);
  const { file, fingerprint } = approvals;
  return { selection: { kind: 'approve', file, fingerprint }, approvals } as const;
}

it('the answer that two rows of one e-mail and without keys are the same person is applied', async () => {
  const real = await realImport(mapping, [
    header,
    'Robert,Klein,Bob@Example.test,+12025550103',
    'Bob,Klein,bob@example.test,+12025550104',
  ]);
  const ends = () =>
    real.events.flatMap((event) =>
      event.kind === 'row' ? [[event.outcome, ...event.problems.map(({ code }) => code)].join(' ')] : [],
    );
  const answered = await answer(real, 'same');
  expect(ends().toSorted()).toEqual(['created', 'proposed identity.ask']);
  const { rows: planned } = await real.plan(answered);
  expect(planned).toMatchObject({ read: 1, updated: 1, stale: 0 });
  await real.import(answered);
  expect(ends()).toEqual(['updated']);
  const now = real.sandbox.contacts().map(({ firstName, phone }) => [firstName, phone]);
  expect(now).toEqual([['Bob', '+12025550104']]);
  await real.import();
  expect(ends()).toEqual(['folded identity.folded firstName.folded phone.folded', 'unchanged']);
});

it('an answer is not applied if the other row of the e-mail has changed since', async () => {
  const robert = 'Robert,Klein,bob@example.test,+12025550103';
  const real = await realImport(mapping, [header, robert, 'Bob,Klein,bob@example.test,+12025550104']);
  const answered = await answer(real, 'same');
  real.write([header, 'Rob,Klein,bob@example.test,+12025550109', 'Bob,Klein,bob@example.test,+12025550104']);
  await real.import(answered);
  expect(real.events.flatMap((event) => (event.kind === 'row' ? [event.outcome] : []))).toContain('stale');
});
