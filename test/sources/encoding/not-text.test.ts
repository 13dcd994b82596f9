import { describe, expect, test } from 'vitest';
import { sourceFormats } from '../../../src/sources/registry.ts';
import { file, never, open, reading, refusal } from '../reading.ts';

const textFormats = ['csv', 'tsv', 'json', 'ndjson', 'sql', 'vcard'];

test('these formats are formats', () => {
  const names = sourceFormats.map(({ name }) => name);
  for (const name of textFormats) expect(names).toContain(name);
});

describe.each(textFormats)('a file of another kind given as %s is called what it is', (format) => {
  test.each([
    ['a PNG image', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['a PDF', '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'],
    ['an old workbook (.xls), or one with a password', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0'],
    ['a SQLite file', 'SQLite format 3\0\x10\0'],
    ['a web page (HTML)', '\n<!doctype HTML>\n<title>Log in</title>'],
  ])('%s', async (words, head) => {
    const path = file(Buffer.from(head, 'latin1'), 'people');
    const error = await refusal(open(path, {}, format).inspect(never));
    expect(error).toMatchObject({ reason: 'input', place: { file: path } });
    expect(error.message).toContain(words);
    expect(error.next).toMatch(/\.$/);
  });
});

describe('binary of no known kind', () => {
  const bytes = Buffer.from(Array.from({ length: 9_000 }, (_, n) => (n * 7919) % 251));

  test.each(['csv', 'json', 'ndjson', 'vcard'])('is refused as %s', async (format) => {
    const error = await refusal(open(file(bytes), {}, format).inspect(never));
    expect(error.message).toContain('is binary, not text');
  });

  test('is what UTF-16 looks like, and is read', async () => {
    const text = `id,name\n${String.fromCharCode(...Array.from({ length: 30 }, (_, n) => 0x4e00 + n))},Ada\n`;
    const { cells } = await reading(Buffer.from(text.repeat(9), 'utf16le'), { encoding: 'utf-16le' });
    expect(cells[0]).toEqual(['一丁丂七丄丅丆万丈三上下丌不与丏丐丑丒专且丕世丗丘丙业丛东丝', 'Ada']);
  });

  test('is not what holds the separators of other systems', async () => {
    const text = 'id,tags\n1,\x01vip\x01\n2,a\x02b\x03c\x1ed\x1fe\n';
    const { cells } = await reading(text);
    expect(cells).toEqual([
      ['1', '\x01vip\x01'],
      ['2', 'a\x02b\x03c\x1ed\x1fe'],
    ]);
  });
});
