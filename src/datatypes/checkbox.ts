import * as z from 'zod';
import { defineDataType, invalid, quoted } from './data-type.ts';

const word = z.union([z.string(), z.number(), z.boolean()]);

const options = z.object({
  checked: z
    .array(word)
    .min(1)
    .optional()
    .describe('Cells that mean checked, without regard to case; by default true, yes, 1 and t.'),
  unchecked: z
    .array(word)
    .min(1)
    .optional()
    .describe('Cells that mean unchecked; by default false, no, 0 and f. "" makes an empty cell unchecked.'),
});

const defaultChecked = ['true', 'yes', '1', 't'];
const defaultUnchecked = ['false', 'no', '0', 'f'];

/** `true` or `false`, by words that the mapping lists. */
export const checkbox = defineDataType({
  name: 'checkbox',
  options: options.refine((rule) => wordsInBoth(rule).length === 0, {
    message: 'a word is in both checked and unchecked',
    path: ['unchecked'],
  }),
  reader(rule) {
    const checked = words(rule.checked ?? defaultChecked);
    const unchecked = words(rule.unchecked ?? defaultUnchecked);
    // A word that the mapping states for one side is taken off the other side's defaults.
    const meaning = new Map<string, boolean>();
    for (const each of checked) if (rule.checked || !unchecked.includes(each)) meaning.set(each, true);
    for (const each of unchecked) if (rule.unchecked || !checked.includes(each)) meaning.set(each, false);
    const expected = [...meaning.keys()].map(quoted).join(', ');
    return {
      readsEmpty: meaning.has(''),
      read(cell) {
        const value = meaning.get(cell.toLowerCase());
        if (value !== undefined) return { ok: true, value };
        return invalid(`${quoted(cell)} is neither checked nor unchecked; expected one of ${expected}.`);
      },
    };
  },
  same: (readBack, wanted) => (checkedWords.get(readBack.toLowerCase()) ?? readBack) === wanted,
});

const checkedWords = new Map<string, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function words(list: readonly (string | number | boolean)[]): readonly string[] {
  return list.map((each) => String(each).toLowerCase());
}

function wordsInBoth(rule: z.output<typeof options>): readonly string[] {
  const unchecked = words(rule.unchecked ?? []);
  return words(rule.checked ?? []).filter((each) => unchecked.includes(each));
}
