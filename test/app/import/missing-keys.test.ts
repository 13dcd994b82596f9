import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { formatMissingKeysCsv } from '../../../src/app/import/report/lists.ts';
import { formatRejectsCsv } from '../../../src/app/import/report/rejects-csv.ts';
import { type RealImport, realImport } from './real-import.ts';

const keyless = `mapping: gone
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
`;
const keyed = keyless.replace('contact:', 'key: ID\ncontact:');
const withComments = (mapping: string) => `${mapping}comments:\n  - { name: note, text: "{Note}" }\n`;

/** Imports, and returns the lines of gone.csv. */
async function gone(real: RealImport, lines: readonly string[]): Promise<readonly string[]> {
  real.write(lines);
  let list = '';
  await real.import({}, async ({ file, run, error }) => {
    expect(error).toBeUndefined();
    list = await text(Readable.from(formatMissingKeysCsv(file, run)));
  });
  return list.trim().split(/\r?\n/).slice(1);
}

const header = 'First,Last,Email,Phone,Note';
const ada = 'Ada,Quill,ada@example.test,+12025550101,first card';
const second = 'Ada,Quill,,+12025550101,second card';
const ben = 'Ben,Reed,ben@example.test,+12025550102,of Ben';

it.each([
  ['with ids of the contacts', withComments(keyless)],
  ['without ids of the contacts', keyless],
])('a person who has a row is not gone: another first identifier, or fewer rows, %s', async (_, mapping) => {
  const real = await realImport(mapping, [header, ada, second, ben], ['  policy: { samePerson: evidence }']);
  expect((await real.import()).error).toBeUndefined();
  const renamed = [ada, second, ben].map((line) => line.replace('@', '.new@'));
  expect(await gone(real, [header, ...renamed])).toEqual([]);
  expect(await gone(real, [header, ...renamed.slice(1)])).toEqual([]);
  expect(await gone(real, [header, renamed[1] ?? ''])).toHaveLength(2);
});

it('a person whose row has another key is not gone', async () => {
  const keys = (...ids: number[]) => [
    `ID,${header}`,
    ...[ada, second.replace(',,', ',ada@example.test,'), ben].map((line, n) => `${ids[n]},${line}`),
  ];
  for (const mapping of [keyed, withComments(keyed)]) {
    const real = await realImport(mapping, keys(1, 2, 3));
    await real.import();
    expect(await gone(real, keys(11, 2, 13))).toEqual([]);
    const left = await gone(real, keys(11, 2, 13).slice(0, 3));
    expect(left.map((line) => line.split(',')[0])).toEqual(['13', '3']);
  }
});

it.each(['skip', 'reject'])('a person whose row is not applied is not gone: onMatch %s', async (onMatch) => {
  const real = await realImport(
    withComments(keyless),
    [header, ben],
    [`  policy: { onMatch: ${onMatch}, maxErrors: "100%" }`],
  );
  await real.import();
  expect(await gone(real, [header, ben.replace('@', '.new@')])).toEqual([]);
});

it('a person imported from a corrected rejects.csv is not gone while the file still has the row', async () => {
  const wrong = 'Ada,Quill,ada atexample.test,+12025550101,note';
  const real = await realImport(keyless, [header, wrong, ben], ['  policy: { maxErrors: "100%" }']);
  let rejects = '';
  const { run: first } = await real.import({}, async ({ file, run }) => {
    rejects = await text(Readable.from(formatRejectsCsv(file, run)));
  });
  const from = join(real.folder, 'rejects.csv');
  writeFileSync(from, rejects.replace('ada at', 'ada@'));
  await real.import({ selection: { kind: 'retry', run: first.id, resend: false, from } });
  expect(real.sandbox.contacts()).toHaveLength(2);
  expect(await gone(real, [header, wrong, ben])).toEqual([]);
  const [line, ...more] = await gone(real, [header, ben]);
  expect(more).toEqual([]);
  expect(line).toMatch(/^,\d*,email:ada@example.test,$/);
});

it('a person without a key whose row is rejected now is not gone while its e-mail can be read', async () => {
  const mapping = `${keyless}customFields:\n  Born: { from: Born, type: date, create: true }\n`;
  const rows = (born: string) => [`${header},Born`, `${ada},${born}`, `${ben},1990-01-02`];
  const real = await realImport(mapping, rows('1980-05-06'), ['  policy: { maxErrors: "100%" }']);
  await real.import();
  expect(await gone(real, rows('unknown'))).toEqual([]);
  expect(await gone(real, [`${header},Born`, `${ben},1990-01-02`])).toHaveLength(1);
});

it('a person imported from a second correction of rejects.csv is not gone', async () => {
  const wrong = 'Ada,Quill,ada atexample.test,+12025550101,note';
  const real = await realImport(keyless, [header, wrong, ben], ['  policy: { maxErrors: "100%" }']);
  const from = join(real.folder, 'rejects.csv');
  let rejects = '';
  const keepRejects: Parameters<RealImport['import']>[1] = async ({ file, run }) => {
    rejects = await text(Readable.from(formatRejectsCsv(file, run)));
  };
  let { run: latest } = await real.import({}, keepRejects);
  for (const email of ['ada at example.test', 'ada@example.test']) {
    writeFileSync(from, rejects.replace(/ada at ?example.test/, email));
    ({ run: latest } = await real.import(
      { selection: { kind: 'retry', run: latest.id, resend: false, from } },
      keepRejects,
    ));
  }
  expect(real.sandbox.contacts()).toHaveLength(2);
  expect(await gone(real, [header, wrong, ben])).toEqual([]);
  expect(await gone(real, [header, ben])).toHaveLength(1);
});
