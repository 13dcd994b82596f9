import * as z from 'zod';
import { defineDataType } from './data-type.ts';
import { parseEmailAddress, sameEmailAddress } from './email-address.ts';

/** An e-mail address, lower-cased and trimmed. */
export const email = defineDataType({
  name: 'email',
  options: z.object({}),
  reader: () => ({ readsEmpty: false, read: parseEmailAddress }),
  same: (readBack, wanted) => sameEmailAddress(readBack, String(wanted)),
});
