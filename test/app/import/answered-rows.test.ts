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
  // The answer about the two rows counts for the contact of the first one, too.
  await real.import();
  expect(ends()).toContainEqual(expect.stringContaining('contact 2 (same phone;'));
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

describe('a family of one mailbox', () => {
  const family = ['Anna', 'Tom', 'Lena', 'Paul'].map(
    (first, n) => `${first},Meyer,family@example.test,+4917100000${n}0`,
  );

  const keyed = mapping.replace('contact:', 'key: No\ncontact:');
  const numbered = family.map((row, n) => `${n + 1},${row}`);

  /** Imports the family; `answers` has the answer about each two of them, by their lines. */
  async function imported(answers: Readonly<Record<string, string>>, rows = family) {
    const real = await realImport(mapping, [header, ...rows], ['  limits: { settle: 1s }']);
    return { real, answered: await answerEach(real, answers) };
  }

  async function answerEach(real: RealImport, answers: Readonly<Record<string, string>>) {
    let asked = '';
    await real.import({}, async ({ file, run }) => {
      asked = await text(Readable.from(formatSamePersonCsv(file, run)));
    });
    const [head = '', ...lines] = asked.trim().split('\n');
    const named = lines.map((line) => {
      const [, row, , , , other] = parse(line)[0] ?? [];
      return [`${row}-${other}`, line] as const;
    });
    const path = join(real.folder, 'same-person.csv');
    writeFileSync(path, [head, ...named.map(([name, line]) => `${answers[name] ?? ''}${line}`)].join('\n'));
    const approvals = await readAnswerListDecisions(path);
    const { file, fingerprint } = approvals;
    const names = named.map(([name]) => name);
    return { asked: names, with: { selection: { kind: 'approve', file, fingerprint }, approvals } as const };
  }

  const outcomes = (real: RealImport) =>
    real.events.flatMap((event) => (event.kind === 'row' ? [event.outcome] : []));
  const pairs = ['3-2', '4-2', '4-3', '5-2', '5-3', '5-4'];
  const all = (answer: string) => Object.fromEntries(pairs.map((name) => [name, answer]));

  it('is asked about in pairs at once: after the answers nothing is left to ask', async () => {
    const { real, answered } = await imported(all('different'));
    expect(answered.asked).toEqual(pairs);
    await real.import(answered.with);
    expect(outcomes(real)).toEqual(['created', 'created', 'created']);
    expect(real.sandbox.contacts().map(({ firstName }) => firstName)).toEqual([
      'Anna',
      'Tom',
      'Lena',
      'Paul',
    ]);
    await real.import();
    expect(outcomes(real)).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged']);
  });

  it('may be two people, each of two rows', async () => {
    const { real, answered } = await imported({ ...all('different'), '4-2': 'same', '5-3': 'same' });
    await real.import(answered.with);
    expect(real.sandbox.contacts()).toHaveLength(2);
    expect(outcomes(real)).not.toContain('proposed');
  });

  it.each(['shared', 'exclusive'])(
    'is not asked about again when the first of it is missing in a newer file, in a workspace that is %s',
    async (workspace) => {
      const real = await realImport(
        keyed,
        [`No,${header}`, ...numbered],
        [`  policy: { workspace: ${workspace} }`, '  limits: { settle: 1s }'],
      );
      const answered = await answerEach(real, all('different'));
      await real.import(answered.with);
      const [, tom = '', ...others] = numbered;
      real.write([`No,${header}`, tom.replace('Tom,Meyer', 'Tom,Meyer-Abel'), ...others]);
      const { rows: planned } = await real.plan();
      expect(planned).toMatchObject({ updated: 1, unchanged: 2, proposed: 0 });
      await real.import();
      expect(outcomes(real)).toEqual(['updated', 'unchanged', 'unchanged']);
      const now = real.sandbox.contacts().map(({ firstName, email }) => [firstName, email]);
      expect(now[0]).toEqual(['Anna', 'family@example.test']);
      expect(now[1]).toEqual(['Tom', null]);
    },
  );

  it('of more than eleven people is asked about its first only', async () => {
    const many = Array.from(
      { length: 12 },
      (_, n) => `${'abcdefghijkl'[n]}nna,Meyer,family@example.test,+4917100000${n + 10}`,
    );
    const { answered } = await imported({ '3-2': 'different' }, many);
    expect(answered.asked).toEqual(many.slice(1).map((_, n) => `${n + 3}-2`));
  });

  it('is no one and two people at once: such answers are refused', async () => {
    const { real, answered } = await imported({ ...all('different'), '4-2': 'same', '4-3': 'same' });
    await expect(real.import(answered.with)).rejects.toThrow(
      'lines 3, 2 of the input are two people here, and one person by other answers.',
    );
    expect(real.sandbox.contacts()).toHaveLength(1);
  });

  it('is not made one person against an earlier answer about rows with keys', async () => {
    const real = await realImport(keyed, [`No,${header}`, ...numbered]);
    const answered = await answerEach(real, { '3-2': 'different' });
    await real.import(answered.with);
    const later = await answerEach(real, { '4-2': 'same', '4-3': 'same' });
    await expect(real.import(later.with)).rejects.toThrow(
      'this answer about lines 4, 2 of the input makes one person of two rows that are two people by an earlier answer.',
    );
  });
});

it('what a row with the answer `same` writes to a contact is no change for the next row with that answer', async () => {
  const there = {
    id: 7,
    firstName: 'Anna',
    lastName: 'Meyer',
    email: 'a@example.test',
    phone: '+4930111111',
  };
  const real = await realImport(
    mapping.replace('contact:', 'key: No\ncontact:'),
    [`No,${header}`, 'K1,Anna,Berg,,+4930111111', 'K2,Ben,Smith,a@example.test,'],
    ['  limits: { settle: 1s }'],
    '',
    { seed: { contacts: [there] } },
  );
  const outcomes = () => real.events.flatMap((event) => (event.kind === 'row' ? [event.outcome] : []));
  const answered = await answer(real, 'same');
  expect(outcomes()).toEqual(['proposed', 'proposed']);
  await real.import(answered);
  expect(outcomes()).toEqual(['updated', 'updated']);
  expect(real.sandbox.contacts()).toMatchObject([{ id: 7, firstName: 'Ben', lastName: 'Smith' }]);
});
