import { describe, expect, test } from 'vitest';
import { zip } from '../archive/packing.ts';
import { workbook } from '../builders/xlsx.ts';
import { file, open, readingOf, refusal } from '../reading.ts';

function refused(content: Buffer | string, options: object = {}) {
  return refusal(readingOf(open(file(content, 'people.xlsx'), options, 'xlsx')));
}

const ole = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const sound = workbook({ sheets: { A: [['a'], ['1'], ['2']] } });
const sheetOf = (xml: string) => workbook({ sheets: { A: [] }, parts: { 'xl/worksheets/sheet1.xml': xml } });

describe('what is no workbook is refused with what to do', () => {
  test.each([
    [
      'a workbook with a password',
      Buffer.concat([ole, Buffer.alloc(300_000), Buffer.from('EncryptedPackage', 'utf16le')]),
      'is protected with a password',
      'without one',
    ],
    ['an .xls of old', Buffer.concat([ole, Buffer.alloc(5000)]), 'old workbook (.xls)', 'save it as .xlsx'],
    ['a page of HTML', '<html><table>', 'HTML', 'save it as .xlsx'],
    ['plain text', 'a,b\n1,2\n', 'is not a workbook', 'format: csv'],
    [
      'a binary workbook',
      zip({ name: '[Content_Types].xml', content: '<Types/>' }, { name: 'xl/workbook.bin', content: 'x' }),
      '.xlsb',
      'save it as .xlsx',
    ],
    [
      'an OpenDocument file',
      zip(
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' },
        { name: 'content.xml', content: '<x/>' },
        { name: 'META-INF/manifest.xml', content: '<x/>' },
      ),
      '.ods',
      'save it as .xlsx',
    ],
    [
      'a text document',
      zip(
        { name: '[Content_Types].xml', content: '<Types/>' },
        { name: 'word/document.xml', content: '<x/>' },
      ),
      'there is no workbook in it',
      'format: dump',
    ],
  ])('%s', async (_, content, words, next) => {
    const error = await refused(content);
    expect(error.reason).toBe('input');
    expect(error.message).toContain(words);
    expect(error.next).toContain(next);
    expect(error.place?.file).toContain('people.xlsx');
  });
});

describe('a damaged workbook is refused', () => {
  test('cut off', async () => {
    for (const part of [0.3, 0.9]) {
      const error = await refused(sound.subarray(0, sound.length * part));
      expect(error.reason).toBe('input');
      expect(error.message).toMatch(/cut off/);
      expect(error.next).toBeTruthy();
    }
  });

  test('with a byte changed in a part', async () => {
    const spoiled = Buffer.from(sound);
    const at = spoiled.indexOf('xl/sharedStrings.xml') + 'xl/sharedStrings.xml'.length + 20;
    spoiled[at] = (spoiled[at] ?? 0) ^ 0xff;
    expect((await refused(spoiled)).message).toContain('damaged');
  });

  test('with a checksum that differs', async () => {
    const parts = ['[Content_Types].xml', '_rels/.rels'].map((name) => ({
      name,
      content: '<x/>',
      statedCrc: 1,
    }));
    expect((await refused(zip(...parts))).message).toContain('checksum');
  });

  test('with a part twice', async () => {
    const parts = ['[Content_Types].xml', 'xl/Workbook.xml', 'xl/workbook.xml'];
    const error = await refused(zip(...parts.map((name) => ({ name, content: '<x/>' }))));
    expect(error.message).toContain('twice');
  });

  test('with XML that breaks off, naming the row', async () => {
    const error = await refused(
      sheetOf(
        '<worksheet><sheetData><row r="1"><c t="str"><v>a</v></c></row><row r="7"><c><v>1</v></c></row><row r="8"><c>',
      ),
    );
    expect(error.message).toContain('after row 8');
    expect(error.place?.line).toBe(8);
  });

  test('with bytes that are no UTF-8', async () => {
    const xml = '<worksheet><sheetData><row r="1"><c t="str"><v>a#</v></c></row></sheetData></worksheet>';
    const bytes = Buffer.from(xml);
    bytes[bytes.indexOf('#')] = 0xe9;
    const parts = { 'xl/worksheets/sheet1.xml': bytes };
    expect((await refused(workbook({ sheets: { A: [] }, parts }))).message).toContain(
      'cannot be read after row 1',
    );
  });

  test('without the part of its sheet, or without a sheet of cells', async () => {
    const rels = { 'xl/_rels/workbook.xml.rels': '<Relationships/>' };
    expect((await refused(workbook({ sheets: { A: [] }, parts: rels }))).message).toContain(
      'no sheet of cells',
    );
    const gone = {
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="gone.xml"/></Relationships>',
    };
    expect((await refused(workbook({ sheets: { A: [] }, parts: gone }))).message).toContain('no cells');
  });

  test('without anything in its sheet', async () => {
    const error = await refused(workbook({ sheets: { A: [] } }));
    expect(error.message).toContain('has nothing in row 1');
  });
});

describe('a workbook that is made to break its reader is refused', () => {
  test('elements a million deep', async () => {
    expect((await refused(sheetOf(`<worksheet>${'<a>'.repeat(1_000_000)}`))).message).toContain('nested');
  });

  test('a text of many megabytes', async () => {
    const text = 'x'.repeat(9_000_000);
    expect(
      (await refused(sheetOf(`<worksheet><sheetData><row r="1"><c t="str"><v>${text}</v></c>`))).message,
    ).toContain('longer than');
  });

  test('more than it may unpack to', async () => {
    const error = await refused(workbook({ sheets: { A: [['a'], ['x'.repeat(3000)]] } }), {
      maxUnpacked: '1KB',
    });
    expect(error.message).toContain('unpacks to more than');
    expect(error.next).toContain('maxUnpacked');
  });

  test('entities that grow are not expanded', async () => {
    const xml =
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><worksheet><sheetData><row r="1"><c t="str"><v>&b;</v></c></row></sheetData></worksheet>';
    expect((await refused(sheetOf(xml))).reason).toBe('input');
  });

  test('a row with more cells than a sheet has columns is a broken one', async () => {
    const cells = '<c><v>1</v></c>'.repeat(20_000);
    const xml = `<worksheet><sheetData><row r="1"><c t="str"><v>a</v></c></row><row r="2">${cells}</row></sheetData></worksheet>`;
    const found = await readingOf(open(file(sheetOf(xml), 'people.xlsx'), {}, 'xlsx'));
    expect(found.broken.map(({ problem }) => problem.code)).toEqual(['row.tooLarge']);
  });
});
