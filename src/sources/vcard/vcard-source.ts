import { sourceFormat } from '../source-format.ts';
import { vcardOptions } from './options.ts';
import { vcardExtensions, vcardSource } from './source.ts';

export const vcard = sourceFormat({
  name: 'vcard',
  extensions: vcardExtensions,
  words: {
    reads: 'vCard 2.1, 3.0 and 4.0. The files of a folder or an archive are read as one address book.',
    columns:
      '`EMAIL`, `EMAIL.2`, `TEL.cell`, `N.family`, `N.given`, `ADR.country` and so on; `CATEGORIES[]` is all values of a list.',
    line: 'The line of `BEGIN`.',
  },
  options: vcardOptions,
  sparse: true,
  open: vcardSource,
});
