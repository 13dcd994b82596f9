import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { readAnswerListDecisions } from '../../../src/app/import/approvals.ts';
import { formatSamePersonCsv } from '../../../src/app/import/report/lists.ts';
import type { ImportRequest } from '../../../src/app/import/request.ts';
import { isLong } from '../../long.ts';
import { caseSeed } from '../../source-seed.ts';
import { type RealImport, realImport } from './real-import.ts';

const seed = caseSeed();
const runs = isLong ? 60 : 12;

/** A row, and the number of its person, which only the answers show. */
const row = fc.record({
  who: fc.nat(3),
  first: fc.constantFrom('Anna', 'Tom', 'A.', ''),
  family: fc.constantFrom('Berg', 'Meyer', 'Berg-Meyer', ''),
  email: fc.constantFrom('a@x.test', 'B@x.test', 'info@x.test', ''),
  phone: fc.constantFrom('+525512345678', '+493011111111', '+493022222222', ''),
  mobile: fc.constantFrom('+491701234567', '+493011111111', '', ''),
  born: fc.constantFrom('1960-05-01', '1990-07-02', '', ''),
});
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never;

const input = fc.record({
  rows: fc.array(row, { minLength: 3, maxLength: 9 }),
  hasKey: fc.boolean(),
  identify: fc.constantFrom('[email, phone]', '[email, phone]', '[phone, email]', '[email]', '[phone]'),
  mostPerPhone: fc.constantFrom(1, 2, 5),
});
type Input = typeof input extends fc.Arbitrary<infer R> ? R : never;

const mappingOf = ({ hasKey, identify }: Input) => `mapping: people
${hasKey ? 'key: Id' : ''}
identify: ${identify}
contact:
  firstName: { from: First }
  lastName: { from: Family }
  email: { from: Email }
  phone: { from: [Phone, Mobile], also: { field: Phones, create: true } }
customFields:
  Born: { from: Born, type: date, birthDate: true, create: true }
`;

const lineOf = ({ first, family, email, phone, mobile, born }: Row, n: number) =>
  [`K${n}`, first, family, email, phone, mobile, born].join(',');

const questionSchema = z.record(z.string(), z.string());

/** Answers the questions of the latest run by who the rows are; returns undefined where there is none. */
async function answer(
  real: RealImport,
  run: { readonly questions: string },
  whoAt: (line: number) => number,
  whoIs: (contact: number) => number | undefined,
): Promise<Partial<ImportRequest> | undefined> {
  const asked = z.array(questionSchema).parse(parse(run.questions, { columns: true }));
  if (asked.length === 0) return undefined;
  const lines = asked.map((line) => {
    const other = line.other === 'row' ? whoAt(Number(line.other_line)) : whoIs(Number(line.other_contact));
    return { ...line, answer: whoAt(Number(line._line)) === other ? 'same' : 'different' };
  });
  const path = join(real.folder, 'same-person.csv');
  writeFileSync(path, stringify(lines, { header: true }));
  const approvals = await readAnswerListDecisions(path);
  const { file, fingerprint } = approvals;
  return { selection: { kind: 'approve', file, fingerprint }, approvals };
}

async function answersApply(given: Input): Promise<void> {
  const settings = [
    `  policy: { maxPeoplePerPhone: ${given.mostPerPhone}, maxErrors: 100% }`,
    '  limits: { settle: 1s }',
  ];
  const header = 'Id,First,Family,Email,Phone,Mobile,Born';
  const real = await realImport(mappingOf(given), [header, ...given.rows.map(lineOf)], settings);
  const whoAt = (line: number) => given.rows[line - 2]?.who ?? -1;
  const makers = new Map<number, number>();
  const take = async (more: Partial<ImportRequest> = {}) => {
    let questions = '';
    await real.import(more, async ({ file, run }) => {
      questions = await text(Readable.from(formatSamePersonCsv(file, run)));
    });
    const rows = real.events.flatMap((event) => (event.kind === 'row' ? [event] : []));
    for (const { line, contactId } of rows)
      if (contactId !== null && !makers.has(contactId)) makers.set(contactId, whoAt(line));
    return { questions, rows };
  };
  // A row that came too early for what a later row has changed is decided by the import after that.
  for (let [round, quiet] = [0, 0]; quiet < 2; round += 1) {
    expect(round, 'imports until nothing is asked').toBeLessThan(given.rows.length * 3);
    real.sandbox.resetLog();
    const found = await take({ fresh: true });
    const answers = await answer(real, found, whoAt, (contact) => makers.get(contact));
    const asked = found.rows.filter(({ problems }) => problems.some(({ code }) => code === 'identity.ask'));
    expect(asked.length > 0, 'a row that waits for an answer has a question').toBe(answers !== undefined);
    quiet = answers === undefined ? quiet + 1 : 0;
    if (quiet === 2) expect(real.sandbox.log.filter(isAppliedWrite)).toEqual([]);
    if (answers === undefined) continue;
    const { rows } = await take(answers);
    expect(rows.filter(({ outcome }) => outcome === 'stale' || outcome === 'failed')).toEqual([]);
  }
}

function isAppliedWrite({ method, path, applied }: RealImport['sandbox']['log'][number]): boolean {
  return applied && method !== 'GET' && path !== '/contact/list';
}

it(`answers are applied, and end (${runs} cases, seed ${seed})`, { timeout: 1_200_000 }, async () => {
  await fc.assert(fc.asyncProperty(input, answersApply), { seed, numRuns: runs, endOnFailure: true });
});
