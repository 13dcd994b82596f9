import { sourceFormat } from '../source-format.ts';
import { vcardOptions } from './options.ts';
import { vcardSource } from './source.ts';

export const vcard = sourceFormat('vcard', vcardOptions, vcardSource, ['vcf', 'vcard']);
