import { expect, it } from 'vitest';
import { type RealImport, realImport } from './real-import.ts';

const keyless = `mapping: moved
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
comments:
  - { name: note, text: "{Note}" }
`;
const keyed = keyless.replace('contact:', 'key: ID\ncontact:');

const header = 'ID,First,Last,Email,Phone,Note';
const ada = '1,Ada,Quill,ada@example.test,+12025550101,first card';
const second = '2,Ada,Quill,,+12025550101,second card';
const ben = '3,Ben,Reed,ben@example.test,+12025550102,of Ben';

const sent = ({ sandbox }: RealImport) => sandbox.log.filter(({ path }) => path.endsWith('/comment')).length;
const codes = ({ events }: RealImport) =>
  events.flatMap((event) =>
    event.kind === 'row'
      ? event.problems.map(({ code }) => code).filter((code) => code.startsWith('comments.'))
      : [],
  );

it.each([
  ['the key', keyed, (line: string) => line.replace(/^[13],/, '1$&')],
  ['the first identifier of a row without a key', keyless, (line: string) => line.replace('@', '.new@')],
])('a comment is not sent again when %s changes, nor when it changes back', async (_, mapping, change) => {
  const before = [ada, second, ben];
  const real = await realImport(mapping, [header, ...before]);
  await real.import();
  expect(sent(real)).toBe(3);
  const after = before.map(change);
  real.write([header, ...after]);
  const { file } = await real.plan();
  expect(file.prepare("SELECT count(*) FROM request WHERE path LIKE '%/comment'").pluck().get()).toBe(0);
  await real.import();
  expect(codes(real)).toEqual(['comments.repeated', 'comments.repeated']);
  expect(sent(real)).toBe(3);
  for (const lines of [after, before, after.map((line) => line.replace('first', 'new'))]) {
    real.write([header, ...lines]);
    await real.import();
  }
  // Only a text that is new to the contact is sent, or reported where the key had another one.
  expect(sent(real)).toBe(3);
  expect(codes(real)).toEqual(['comments.edited']);
});

it('an uncertain comment stays uncertain when the key changes, until it is sent again', async () => {
  const real = await realImport(keyed, [header, ben]);
  real.sandbox.scriptFault({ method: 'POST', path: '/contact/*/comment', kind: 'dropAfter' });
  await real.import();
  expect(codes(real)).toEqual(['comments.uncertain']);
  real.write([header, `1${ben}`]);
  expect((await real.plan()).rows).toMatchObject({ uncertain: 1 });
  const { run } = await real.import();
  expect(codes(real)).toEqual(['comments.uncertain']);
  expect(sent(real)).toBe(1);
  await real.import({ selection: { kind: 'retry', run: run.id, resend: false } });
  expect(codes(real)).toEqual(['comments.uncertain']);
  expect(sent(real)).toBe(1);
  await real.import({ selection: { kind: 'retry', run: run.id, resend: true } });
  expect(sent(real)).toBe(2);
  real.write([header, `2${ben}`]);
  await real.import();
  expect(codes(real)).toEqual(['comments.repeated']);
  expect(sent(real)).toBe(2);
});

it('of a comment in parts only an uncertain one is sent again, by a retry, when the key has changed', async () => {
  const long = `${ben} ${'x'.repeat(999)} ${'y'.repeat(999)}`;
  const real = await realImport(keyed, [header, long], ['  policy: { maxErrors: "100%" }']);
  real.sandbox.scriptFault({ method: 'POST', path: '/contact/*/comment', kind: 'dropAfter', skip: 1 });
  await real.import();
  real.write([header, `1${long}`]);
  const { run } = await real.import();
  expect(codes(real)).toEqual(['comments.uncertain', 'comments.split']);
  expect(sent(real)).toBe(3);
  await real.import({ selection: { kind: 'retry', run: run.id, resend: true } });
  const texts = real.sandbox.contacts().flatMap(({ comments }) => comments.map(({ text }) => text));
  expect(texts.map((text) => text.slice(0, 5))).toEqual(['(1/3)', '(2/3)', '(3/3)', '(2/3)']);
});

it.each(['above', 'below'])(
  'no comment is sent again when a row %s takes over the e-mail of a person without a key',
  async (place) => {
    const anna = ['1,Anna,Berg,info@x.test,+525512345678,one', '2,Anna,Berg,info@x.test,,two'];
    const tom = '3,Tom,Meyer,info@x.test,+493022222222,of Tom';
    const real = await realImport(keyless, [header, ...anna]);
    await real.import();
    expect(sent(real)).toBe(2);
    real.write([header, ...(place === 'above' ? [tom, ...anna] : [...anna, tom])]);
    await real.import();
    await real.import();
    expect(sent(real)).toBe(2);
  },
);
