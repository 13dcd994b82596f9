import { codingOf, headOf, longestHead } from './content-line.ts';

/** A property under way. */
interface Unfolding {
  readonly lines: string[];
  /** What stands before its colon; null as long as that has not come, '' where it comes too late. */
  head: string | null;
}

/**
 * The properties of a card with their folds undone. From version 3.0 on the blank that marks a fold is no text; in 2.1 a
 * fold stands where a blank was, and quoted-printable is broken by an equals character at the end of the line.
 */
export function unfold(lines: readonly string[], version: string): readonly string[] {
  const found: Unfolding[] = [];
  const old = version.startsWith('2');
  for (const line of lines) {
    const current = found.at(-1);
    const last = current?.lines.at(-1) ?? '';
    const coding = current?.head == null ? null : codingOf(current.head);
    if (current !== undefined && coding === 'quoted-printable' && softBreak.test(last)) {
      current.lines.push(current.lines.pop()?.replace(softBreak, '') ?? '', line);
    } else if (current !== undefined && /^[ \t]/.test(line)) {
      current.lines.push(old ? line : line.slice(1));
      current.head ??= headSoFar(current.lines);
    } else if (current !== undefined && coding === 'base64' && isBase64(line)) current.lines.push(line);
    else if (line.trim() !== '') found.push({ lines: [line], head: headSoFar([line]) });
  }
  return found.map((each) => each.lines.join(''));
}

const softBreak = /=[ \t]*$/;

/** Whether a line can only be base64 that goes on; some writers do not fold it. */
export function isBase64(line: string): boolean {
  return /^[A-Za-z0-9+/]+=*\s*$/.test(line);
}

function headSoFar(lines: readonly string[]): string | null {
  const text = lines.join('');
  return headOf(text) ?? (text.length > longestHead ? '' : null);
}
