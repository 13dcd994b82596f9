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
