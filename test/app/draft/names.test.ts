import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseMapping } from '../../../src/mapping/index.ts';
import { answered, checked, drafted, removeFolders } from './drafting.ts';

afterAll(removeFolders);

const odd = [
  'a: b',
  '- a',
  '? a',
  '{a}',
  '[a]',
  '"a"',
  "it's",
  '# a',
  'a # b',
  '&a',
  '*a',
  '!a',
  '| a',
  '> a',
  '%a',
  '@a',
  '`a`',
  'null',
  'true',
  '007',
  '1e3',
  '~',
  '😀',
  'a\nb',
  'a\tb',
  '\\',
  '__proto__',
  'constructor',
  'TODO',
  'TODO: a',
  'tags[]',
  'a.b',
  'a[0].b',
  '',
  ' ',
  '-',
  '---',
  '...',
  '<<',
  'é',
  'ｅｍａｉｌ',
  '\u202eabc',
  'a'.repeat(2000),
  'email',
  'Email ',
  'notes',
  '{notes}',
  'mention: assignee',
];

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Two rows of a file with these columns, an address among them. */
function csvOf(names: readonly string[]): string {
  const header = ['E-Mail', 'First Name', ...names].map(cell).join(',');
  const row = (value: string) =>
    [`${value}@example.com`, value, ...names.map((_, index) => `${value} ${index}`)].map(cell).join(',');
  return `${header}\n${row('one')}\n${row('two')}\n`;
}

describe('a draft, whatever the columns are called,', () => {
  it('is a mapping that loads once its questions are answered', async () => {
    const name = fc.oneof(
      fc.constantFrom(...odd),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(name, {
          minLength: 1,
          maxLength: 8,
          selector: (each) => each.replaceAll('\0', '').trim(),
        }),
        async (names) => {
          const made = await drafted(
            csvOf(names.filter((each) => !['E-Mail', 'First Name'].includes(each.trim()))),
          );
          const { wrong } = await checked(made);
          expect(wrong).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each(odd.filter((name) => name.trim() !== ''))('reads %j by its name, or says why not', async (name) => {
    const made = await drafted(csvOf([name]));
    const { leftOut, mapping } = made.draft;
    const loaded = parseMapping(answered(mapping.text), 'mapping.yaml');
    const read = JSON.stringify(loaded.mapping).includes(JSON.stringify(name.trim()).slice(1, -1));
    expect(read || leftOut.some(({ column }) => column === name.trim())).toBe(true);
  });
});

describe('a draft that finds last names alone', () => {
  const people = (header: string, names: readonly string[]) =>
    `No,Surname,${header},E-mail\n${names.map((name, n) => `${n},Jones,${name},fam${n}@example.com\n`).join('')}`;

  it('asks which column has the first names where one looks like it', async () => {
    const { draft } = await drafted(people('Known as', ['Ann', 'Bob', 'Cleo', 'Dan']));
    expect(draft.mapping.text).toContain('from: "TODO: which column holds the first name?');
    expect(draft.mapping.text).toContain('The values of Known as look like names.');
  });

  it('does not ask where no column looks like it', async () => {
    const { draft } = await drafted(people('Points', ['1', '2', '3', '4']));
    expect(draft.mapping.text).toContain('firstName: { default: Unknown }');
  });
});
