export { contactFieldTypes, sameContactField } from './contact-field.ts';
export { countryCodeOf } from './country.ts';
export type { DataType, Parsed, Trouble } from './data-type.ts';
export { quoted } from './data-type.ts';
export { htmlText } from './html-text.ts';
export { listOptions } from './list.ts';
export { isMomentFormat, momentReader } from './moment.ts';
export { dataTypeOf, dataTypes } from './registry.ts';
export { trimmed } from './whitespace.ts';
