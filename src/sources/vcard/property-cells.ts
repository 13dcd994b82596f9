import { unescaped } from './escapes.ts';
import { componentNames, type Property } from './property.ts';

/** The cells of one property, each with the name of its part; '' is the property itself. */
export function propertyCells({
  name,
  value,
  components,
}: Property): readonly (readonly [part: string, cell: string])[] {
  const names = componentNames.get(name);
  if (names === undefined) return [['', single(name, unescaped(value))]];
  if (name !== 'ORG')
    return components.slice(0, names.length).map((cell, at) => [names[at] ?? '', cell] as const);
  const [company = '', ...rest] = components;
  const units = rest.filter((unit) => unit.trim() !== '').join(', ');
  return units === ''
    ? [['', company]]
    : [
        ['', company],
        ['unit', units],
      ];
}

function single(name: string, text: string): string {
  switch (name) {
    case 'TEL':
      return text.replace(/^\s*tel:/i, '');
    case 'EMAIL':
      return text.replace(/^\s*mailto:/i, '');
    case 'BDAY':
    case 'ANNIVERSARY':
      return day(text);
    default:
      return text;
  }
}

/** A day without its time, in the usual form; one without a year stays as it is. */
function day(text: string): string {
  const [, year, month, ofMonth] = /^\s*(\d{4})-?(\d{2})-?(\d{2})(?:$|T|\s)/.exec(text) ?? [];
  if (year === undefined) return text;
  // Apple's programs write this year where none is known.
  return year === '1604' ? `--${month}-${ofMonth}` : `${year}-${month}-${ofMonth}`;
}
