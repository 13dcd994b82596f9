import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { InputRow } from './scene.ts';
import { wholeRow } from './whole-person.ts';

/** Somebody whose every value is theirs alone, so that it can be searched for. */
export const forgottenRow: InputRow = {
  ...wholeRow('F17', { Email: 'Zenobia.Quist@example.com', Phone: '+12015550177' }),
  First: 'Zenobia',
  Last: 'Quistgaard',
  City: 'Xanadu-on-Sea',
  Story: 'Wrote twice about the violet harpsichord.',
};

/** What must be in no byte of a work dir afterwards. */
export const forgottenBytes = [
  'Zenobia',
  'Quist',
  'zenobia.quist@example.com',
  '12015550177',
  'Xanadu',
  'harpsichord',
  'F17',
];

/** Every place of a work dir where one of the words is, as UTF-8 or UTF-16: `file: word`. */
export function placesOf(folder: string, words: readonly string[] = forgottenBytes): string[] {
  const found: string[] = [];
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    const texts = [
      bytes.toString('latin1'),
      bytes.toString('utf16le'),
      bytes.subarray(1).toString('utf16le'),
    ];
    for (const word of words) {
      const lower = word.toLowerCase();
      if (texts.some((text) => text.toLowerCase().includes(lower))) found.push(`${name}: ${word}`);
    }
  }
  return found.sort();
}
