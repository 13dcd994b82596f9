import { z } from 'zod';
import { encodingOption } from '../encoding/text-file.ts';
import { maxRowBytes } from '../options.ts';

/** The options of an address book beside `format` and `path`. */
export const vcardOptions = z.strictObject({
  encoding: encodingOption,
  maxRowBytes: maxRowBytes(
    'A card with more bytes is a broken row; photos and other binary values do not count.',
  ),
});

export type VcardOptions = z.output<typeof vcardOptions>;
