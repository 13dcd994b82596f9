import { describe, expect, test } from 'vitest';
import { FatalError } from '../../../src/model/fatal-error.ts';
import { isLong } from '../../long.ts';
import { file, never, open, reading } from '../reading.ts';
import { writers } from './writers.ts';

const people = {
  name: 'people',
  columns: ['id', 'note'],
  rows: [
    [1, "it's; \\ (1,"],
    [2, null],
    [3, 'zwölf -- /* x'],
  ],
};
const others = { name: 'others', columns: ['id'], rows: [[1], [2]] };

/** The lines that phpMyAdmin writes around a dump, besides its transaction. */
const saved = '/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;\n';
const restored = '/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;\n';

const settings = /^(?:--.*|\\.*|\/\*!40101 SET (?:CHARACTER|COLLATION).*)?\s*$/;

const dumps: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(writers).map(([name, write]) => [name, write([people, others])])),
  'phpMyAdmin that restores settings behind its transaction': `${writers.phpMyAdmin?.([people]).replace('START TRANSACTION;\n', (begin) => `${begin}${saved}`)}\n${restored}/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;\n`,
  'phpMyAdmin without a transaction': `-- phpMyAdmin SQL Dump\n${saved}CREATE TABLE \`people\` (\n  \`id\` int\n);\nINSERT INTO \`people\` (\`id\`) VALUES\n(1),\n(2);\nALTER TABLE \`people\` ADD PRIMARY KEY (\`id\`);\n${restored}`,
};

/** Where nothing but comments and blanks is left of a dump. */
function lastStatementEnd(dump: string): number {
  let at = dump.length;
  for (;;) {
    const line = dump.lastIndexOf('\n', at - 2) + 1;
    if (!settings.test(dump.slice(line, at).trimEnd())) return dump.slice(0, at).trimEnd().length;
    at = line;
  }
}

/** Returns how the end of a dump is read: `refused`, where it is cut off, or nothing. */
async function said(dump: string | Buffer): Promise<string | undefined> {
  try {
    const facts = await open(file(dump, 'dump.sql'), { table: 'people' }, 'sql').inspect(never);
    return facts.truncated;
  } catch (error) {
    if (error instanceof FatalError) return 'refused';
    throw error;
  }
}

describe.each(Object.entries(dumps))('a dump of %s', (_, dump) => {
  test('is whole as it is', async () => {
    expect(await said(dump)).toBeUndefined();
  });

  // At every byte in the long tests, at every seventh in the others.
  const step = isLong ? 1 : 7;

  test('cut at any byte before its end, says that it breaks off', async () => {
    const bytes = Buffer.from(dump);
    const end = Buffer.byteLength(dump.slice(0, lastStatementEnd(dump)));
    const silent: string[] = [];
    for (let cut = 1; cut < end; cut += step) {
      const part = bytes.subarray(0, cut);
      if ((await said(part)) === undefined) silent.push(part.subarray(-40).toString());
    }
    expect(silent).toEqual([]);
  });

  test('the rows before the cut are read, each as it is in the whole dump', async () => {
    const { rows: whole } = await reading(dump, { table: 'people' }, 'sql');
    const texts = whole.map((row) => JSON.stringify(row.entries()));
    for (let cut = dump.indexOf('people'); cut < dump.length; cut += 7 * step) {
      const read = await reading(dump.slice(0, cut), {}, 'sql').catch((error: unknown) => {
        if (error instanceof FatalError) return { rows: [] };
        throw error;
      });
      const found = read.rows.map((row) => JSON.stringify(row.entries()));
      expect(found).toEqual(texts.slice(0, found.length));
    }
  });
});

test('in UTF-16, too', async () => {
  const dump = Buffer.from(`\ufeff${dumps.mysqldump}`, 'utf16le');
  expect(await said(dump)).toBeUndefined();
  for (let cut = dump.indexOf('VALUES', 0, 'utf16le'); cut < dump.length - 120; cut += 5)
    expect(await said(dump.subarray(0, cut))).toBeDefined();
});

test('a dump that is appended to a complete one and cut off is not taken for complete', async () => {
  const whole = dumps.mysqldump ?? '';
  const cut = whole.slice(0, whole.indexOf('UNLOCK TABLES;') + 'UNLOCK TABLES;'.length);
  expect(await said(whole + cut)).toContain('-- Dump completed');
  expect(await said(whole + whole)).toBeUndefined();
});
