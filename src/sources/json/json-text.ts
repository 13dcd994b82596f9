import { isBlank } from './raw-record.ts';

/** Just behind the string that begins at a place. */
export function stringEnd(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return json.length;
}

/** Whether a character stands behind a number, true, false or null. */
export function endsWord(character: number): boolean {
  return character === 0x2c || character === 0x5d || character === 0x7d || isBlank(character);
}

/** What a string stands for. */
export function textOf(string: string): string {
  if (!string.includes('\\')) return string.slice(1, -1);
  const text: unknown = JSON.parse(string);
  return typeof text === 'string' ? text : string;
}

/** JSON without the blanks between its characters. */
export function compact(json: string): string {
  if (!/[ \n\r\t]/.test(json)) return json;
  let text = '';
  let at = 0;
  while (at < json.length) {
    const quote = json.indexOf('"', at);
    const bare = json.slice(at, quote === -1 ? json.length : quote);
    text += bare.replace(/[ \n\r\t]+/g, '');
    at = quote === -1 ? json.length : stringEnd(json, quote);
    if (quote !== -1) text += json.slice(quote, at);
  }
  return text;
}
