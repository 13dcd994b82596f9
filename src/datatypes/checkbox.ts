import * as z from 'zod';
import { createCellError, defineDataType, quoteCell } from './data-type.ts';
import { maxUnreadableShare } from './guess.ts';

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

/**
 * The type checkbox: `true` or `false`, by words that the mapping lists, or by common ones such as yes and
 * no.
 */
export const checkboxDataType = defineDataType({
  options: options.refine((rule) => wordsInBoth(rule).length === 0, {
    message: 'a word is in both checked and unchecked',
    path: ['unchecked'],
  }),
  reader(rule) {
    const checked = words(rule.checked ?? defaultChecked);
    const unchecked = words(rule.unchecked ?? defaultUnchecked);
    // A word that the rule lists for one side is removed from the defaults of the other.
    const meaning = new Map<string, boolean>();
    for (const each of checked) if (rule.checked || !unchecked.includes(each)) meaning.set(each, true);
    for (const each of unchecked) if (rule.unchecked || !checked.includes(each)) meaning.set(each, false);
    const expected = [...meaning.keys()].map(quoteCell).join(', ');
    return {
      readsEmpty: meaning.has(''),
      read(cell) {
        const value = meaning.get(cell.toLowerCase());
        if (value !== undefined) return { ok: true, value };
        return createCellError(
          `${quoteCell(cell)} is neither checked nor unchecked; expected one of ${expected}.`,
        );
      },
    };
  },
  same: (readBack, wanted) => (readBackAs.get(readBack.toLowerCase()) ?? readBack) === wanted,
  filterKind: 'flag',
  guess: {
    rule({ role, distinct, filled }) {
      const found = distinct === null ? null : findCheckboxWords(distinct);
      if (found === null || found.others > filled * maxUnreadableShare) return undefined;
      const { checked, unchecked, others } = found;
      const said = [...checked, ...unchecked];
      const isDigit = said.length === 1 && /^\d$/.test(said[0] ?? '');
      if (isDigit && filled < fewestDigitCells && role !== 'optOut') return undefined;
      return {
        options: { ...(checked.length > 0 && { checked }), ...(unchecked.length > 0 && { unchecked }) },
        words: said.join(' or '),
        others: others / filled,
      };
    },
  },
});

/**
 * A column of only 1 or only 0 is guessed to be a checkbox, and not a number, if it has at least this many filled cells
 * or the role `optOut`.
 */
const fewestDigitCells = 3;

const readBackAs = new Map<string, boolean>([
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

const checkedWords = new Set(
  `true yes y 1 t on x ✓ checked wahr ja oui vrai si sí verdadero vero sim verdadeiro tak prawda evet doğru ya 是 はい 예 네 да
   active subscribed`.split(/\s+/),
);
const uncheckedWords = new Set(
  `false no n 0 f off unchecked falsch nein nee non faux falso não nao nie fałsz hayır yanlış tidak 否 いいえ 아니오 нет
   inactive unsubscribed`.split(/\s+/),
);

/** The words for checked and unchecked in a column, and the number of other cells. */
interface CheckboxWords {
  readonly checked: readonly string[];
  readonly unchecked: readonly string[];
  readonly others: number;
}

/** Returns the checkbox words among a column's distinct cells, in lower case; null without any. */
export function findCheckboxWords(distinct: ReadonlyMap<string, number>): CheckboxWords | null {
  const checked = new Set<string>();
  const unchecked = new Set<string>();
  let others = 0;
  for (const [cell, count] of distinct) {
    const word = cell.toLowerCase();
    if (checkedWords.has(word)) checked.add(word);
    else if (uncheckedWords.has(word)) unchecked.add(word);
    else others += count;
  }
  return checked.size + unchecked.size === 0
    ? null
    : { checked: [...checked], unchecked: [...unchecked], others };
}
