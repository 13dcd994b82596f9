import { z } from 'zod';
import { encodingOption } from '../encoding/text-file.ts';

/** The options of an address book beside `format` and `path`. */
export const vcardOptions = z.strictObject({
  encoding: encodingOption,
  maxRowBytes: z
    .int()
    .min(256)
    .max(256 * 1024 * 1024)
    .default(1024 * 1024)
    .describe('A card with more bytes is a broken row; photos and other binary values do not count.'),
});

export type VcardOptions = z.output<typeof vcardOptions>;
