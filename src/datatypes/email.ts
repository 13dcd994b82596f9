import * as z from 'zod';
import { defineDataType } from './data-type.ts';
import { isEmailAddress, parseEmailAddress, sameEmailAddress } from './email-address.ts';
import { guessByCells } from './guess.ts';

/** An e-mail address, lower-cased and trimmed. */
export const email = defineDataType({
  options: z.object({}),
  reader: () => ({ readsEmpty: false, read: parseEmailAddress }),
  same: (readBack, wanted) => sameEmailAddress(readBack, String(wanted)),
  filterKind: 'plain',
  guess: guessByCells(isEmailAddress, 'e-mail addresses'),
});
