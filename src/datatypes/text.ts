import * as z from 'zod';
import { defineDataType } from './data-type.ts';

const options = z.object({
  maxLength: z
    .int()
    .positive()
    .optional()
    .describe('The longest text that is accepted, in UTF-16 units; a longer one is <field>.tooLong.'),
});

/** Text, as it stands. */
export const text = defineDataType({
  options,
  reader: ({ maxLength }) => ({
    readsEmpty: false,
    read(cell) {
      if (maxLength !== undefined && cell.length > maxLength) {
        const reason = `The text has ${cell.length} characters; at most ${maxLength} are allowed.`;
        return { ok: false, problem: 'tooLong', reason };
      }
      return { ok: true, value: cell };
    },
  }),
  same: (readBack, wanted) => readBack === String(wanted),
  filterKind: 'plain',
  guess: { last: true, rule: () => ({ options: {}, words: 'text', others: 0 }) },
});
