export { findCheckboxWords } from './checkbox.ts';
export { contactFieldTypes, isSameContactFieldValue } from './contact-field.ts';
export { findDialledCountry, listCountryCodes, parseCountryCode, parseCountryForPhones } from './country.ts';
export type { CellError, DataType, FilterKind, ParsedCell } from './data-type.ts';
export { quoteCell } from './data-type.ts';
export { createTimeOfDayTest, createTimestampReader, dateOptionsSchema, isTimestampFormat } from './date.ts';
export { isEmailAddress, splitEmailAddresses, unwrapEmailAddress } from './email.ts';
export type { ColumnSample, GuessedRule, ParsedCellCount } from './guess.ts';
export { extractHtmlText } from './html-text.ts';
export { findValueLabel, squeezeWord } from './labels.ts';
export { listOptionsSchema } from './list.ts';
export { extractNamePart } from './person-name.ts';
export {
  findPhoneCountry,
  isPhoneWithoutCountryCode,
  isRoundedPhone,
  looksLikePhone,
  removePhoneLabel,
  splitPhones,
} from './phone.ts';
export { type DataTypeName, dataTypeNames, dataTypes, findDataType } from './registry.ts';
export { guessTimestampFormats } from './timestamp-formats.ts';
export { isWebLink } from './url.ts';
export { toLowerCase, trimWhiteSpace } from './whitespace.ts';
