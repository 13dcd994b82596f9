import { expect, it } from 'vitest';
import { listRowsWithProblems } from '../../../src/journal/index.ts';
import { realImport } from './real-import.ts';

const lines = ['Id,Given,Full,Email', '1,,,ada@example.com'];

it.each([
  ['its column', '{ from: Given }', 'Given'],
  ['the first of its columns', '{ from: [Full, Given] }', 'Full'],
  ['the first column of its template', '{ template: "{Given} {Full}" }', 'Given'],
])('names %s where a new contact has no first name', async (_, rule, column) => {
  const mapping = `mapping: people\nkey: Id\ncontact:\n  firstName: ${rule}\n  email: { from: Email }\n`;
  const real = await realImport(mapping, lines);
  let problems: readonly unknown[] = [];
  const { exitCode } = await real.import({}, ({ file, run }) => {
    problems = listRowsWithProblems(file, run.number, 0, 10).flatMap((row) => row.problems);
  });
  expect(exitCode).toBe(3);
  expect(problems).toMatchObject([{ code: 'firstName.missing', column }]);
});

it('names it where a contact that is there has none either', async () => {
  const mapping =
    'mapping: people\nkey: Id\ncontact:\n  firstName: { from: Given }\n  lastName: { from: Full }\n  email: { from: Email }\n';
  const seed = { contacts: [{ id: 7, firstName: '', email: 'ada@example.com' }] };
  const real = await realImport(mapping, ['Id,Given,Full,Email', '1,,Byron,ada@example.com'], [], '', {
    seed,
  });
  let problems: readonly unknown[] = [];
  await real.import({}, ({ file, run }) => {
    problems = listRowsWithProblems(file, run.number, 0, 10).flatMap((row) => row.problems);
  });
  expect(problems).toMatchObject([{ code: 'firstName.missing', column: 'Given' }]);
});
