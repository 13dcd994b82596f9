import { countryCodes, languageCodes } from './codes.ts';

const localPart = /^[^\s@"(),:;<>[\]\\.]+(?:\.[^\s@"(),:;<>[\]\\.]+)*$/u;
const domain = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]*\p{L}[\p{L}\p{N}-]*$/u;

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || text.length > 254 || at > 64) return false;
  return localPart.test(text.slice(0, at)) && domain.test(text.slice(at + 1));
}

/** International format with leading plus, digits only. */
export function isPhone(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}

export function isLanguage(text: string): boolean {
  return languageCodes.has(text);
}

export function isCountryCode(text: string): boolean {
  return countryCodes.has(text);
}

/** An absolute http or https address. */
export function isImageUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && !/\s/.test(text) && URL.canParse(text);
}

/** With or without a scheme, as the specification shows: `www.site`, `https://www.site`, `site`, `http://site`. */
export function isLooseUrl(text: string): boolean {
  return /^(?:https?:\/\/)?[^\s/?#:@]+(?::\d{1,5})?(?:[/?#]\S*)?$/i.test(text);
}

/** `yyyy-mm-dd`, a day that the calendar has. */
export function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

/** `HH:MM`, 24-hour. */
export function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/** An integer that a number holds exactly: ids of messages are often microseconds, of sixteen digits. */
export function isIntegerText(text: string): boolean {
  return /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text));
}
