import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
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
  await real.import({ fresh: true }, async ({ file, run }) => {
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

describe('an answer about a row', () => {
  const crowd = Array.from({ length: 8 }, (_, n) => `Person${n},Surname${n},p${n}@example.test,+4930123456`);
  const anna = 'Anna,Berg,anna@example.test';

  it.each([
    ['with the phone of many people', mapping, '+4930123456', crowd],
    ['with a phone that is compared in another form', mapping, '+525512345678', []],
    ['of which the mapping compares no e-mail', `${mapping}identify: [phone]\n`, '+493099887766', []],
  ])('%s is applied', async (_what, yaml, phone, more) => {
    const rows = [`${anna},${phone}`, `Tom,Berg,anna@example.test,${phone}`];
    const real = await realImport(yaml, [header, ...rows, ...more]);
    const answered = await answer(real, 'same');
    await real.import(answered);
    expect(real.events.flatMap((event) => (event.kind === 'row' ? [event.outcome] : []))).toEqual([
      'updated',
    ]);
  });
});

it('a person told apart from the contact of its key is looked up by all that it has, also by what was sent before', async () => {
  const both = '1,Tom,Berg,tom@example.test,+493011111111';
  const keyed = mapping.replace('contact:', 'key: Id\ncontact:');
  const real = await realImport(
    keyed,
    [`Id,${header}`, both, both.replace('1', '2')],
    ['  limits: { settle: 1s }'],
  );
  await real.import();
  const [tom] = real.sandbox.contacts();
  // Tom has another phone now, and his former one is that of Zoe.
  await fetch(`${real.sandbox.baseUrl}/contact/id:${tom?.id}`, {
    method: 'PUT',
    headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: 'Tom', phone: '+493022222222' }),
  });
  real.sandbox.add({
    contacts: [{ firstName: 'Zoe', lastName: 'Maier', email: 'zoe@example.test', phone: '+493011111111' }],
  });
  real.write([
    `Id,${header}`,
    '1,Tom,Berg,tom@example.test,+493022222222',
    '2,Anna,Klein,tom@example.test,+493011111111',
  ]);
  const ends = () =>
    real.events.flatMap((event) => (event.kind === 'row' ? [event.problems[0]?.reason] : []));
  await real.import(await answer(real, 'different'));
  expect(ends()).toEqual([expect.stringContaining('contact 1 (same key and e-mail;')]);
  await real.import(await answer(real, 'different'));
  expect(ends()).toEqual([expect.stringContaining('contact 2 (same phone;')]);
});

it('a question shows the further phones of both sides, of which one may be the one that they share', async () => {
  const further = mapping.replace(
    '{ from: Phone }',
    '{ from: [Phone, Mobile], also: { field: Phones, create: true } }',
  );
  const real = await realImport(further, [
    'First,Last,Email,Phone,Mobile',
    'Anna,Berg,a@example.test,+493011111111,+491701234567',
    'Anna,Meyer,b@example.test,+493022222222,+491701234567',
  ]);
  await real.import({}, async ({ file, run }) => {
    const [line] = parse(await text(Readable.from(formatSamePersonCsv(file, run))), { columns: true });
    expect(line).toMatchObject({
      ...{ 'row.phone': '+493022222222', 'row.further': '+491701234567' },
      ...{ 'other.phone': '+493011111111', 'other.further': '+491701234567' },
    });
  });
});
