import { describe, expect, it } from 'vitest';
import { workbook } from '../../sources/builders/xlsx.ts';
import { type Retrying, retryingHere } from './retrying.ts';

const mapping = `mapping: people
contact:
  firstName: { from: Name }
  email: { from: E-Mail }
  phone: { from: Phone, country: DE }
customFields:
  Zip: { from: Zip, type: text, create: true }
  Since: { from: Since, type: date, formats: [yyyy-MM-dd, dd/MM/yyyy], create: true }
`;

const header = 'Name;E-Mail;Phone;Zip;Since';
const good = 'Anna;anna@ex.de;;10115;2024-05-20';
const bert = 'Bert;bert at ex.de;+4915212345678;00123;2024-05-31';
const carl = 'Carl;carl at ex.de;;04109;2024-05-01';

async function rejected(lines: readonly string[] = [good, bert, carl], more = {}) {
  const site = await retryingHere({ mapping, ...more });
  site.write('people.csv', `${[header, ...lines].join('\n')}\n`);
  const first = await site.import();
  expect(first.exitCode).toBe(3);
  return { site, first, run: first.summary.run, rejects: first.text('rejects.csv') };
}

function fieldsOf({ sandbox }: Retrying, email: string): Record<string, string | null> {
  const contact = sandbox.contacts().find((each) => each.email === email);
  return Object.fromEntries((contact?.custom_fields ?? []).map(({ name, value }) => [name, value]));
}

const fixed = (text: string) => text.replaceAll(' at ex.de', '@ex.de').replaceAll(/"""[^"]*""[^;]*;/g, ';');

describe('a corrected rejects.csv', () => {
  it('closes the counts of the first run, row by row, by _row', async () => {
    const { site, first: before, run, rejects } = await rejected();
    expect(rejects.split('\n')[0]).toBe(`${header};_row;_line;_code;_column;_reason;_raw`);
    const [head = '', first = '', second = ''] = fixed(rejects).split('\n');
    const half = await site.retry(run, { from: site.write('half.csv', `${head}\n${second}\n`) });
    expect(half.summary.rows).toMatchObject({ read: 1, created: 1 });
    expect(half.summary.matched).toMatchObject({ input: 1, taken: 1, added: 0, done: 0, missing: 1 });
    expect(half.exitCode).toBe(3);
    expect(site.statusOf(run)).toMatchObject({ open: 1 });
    const whole = await site.retry(run, { from: site.write('whole.csv', `${head}\n${second}\n${first}\n`) });
    expect(whole.summary.matched).toMatchObject({ input: 2, taken: 1, added: 0, done: 1, missing: 0 });
    expect(whole.exitCode).toBe(0);
    expect(JSON.parse(before.text('summary.json'))).toMatchObject({ open: 0, rows: { rejected: 2 } });
    expect(site.statusOf(run)).toMatchObject({ open: 0, next: [] });
    expect(site.people()).toEqual(['Anna anna@ex.de', 'Bert bert@ex.de', 'Carl carl@ex.de']);
    // The input still holds the rows as they were: a corrected one of each is done.
    const again = await site.retry(run);
    expect(again.summary.matched).toMatchObject({ input: 3, taken: 0, done: 3, missing: 0 });
    expect(again.exitCode).toBe(0);
  });

  it('may have empty lines, as a spreadsheet leaves them where rows were cleared', async () => {
    const { site, run, rejects } = await rejected();
    const [head = '', ...rows] = fixed(rejects).trim().split('\n');
    const empty = ';'.repeat(head.split(';').length - 1);
    const from = site.write('cleared.csv', `${[head, empty, ...rows, empty, empty].join('\n')}\n`);
    const { exitCode, summary } = await site.retry(run, { from });
    expect({ exitCode, rows: summary.rows }).toMatchObject({
      exitCode: 0,
      rows: { created: 2, rejected: 0 },
    });
    expect(summary.matched).toMatchObject({ taken: 2, added: 0, missing: 0 });
  });

  it('saved in a code page that loses the letters of its columns is refused as not UTF-8', async () => {
    const site = await retryingHere({ mapping: mapping.replace('from: Name', 'from: Prénom') });
    site.write('people.csv', `${[header.replace('Name', 'Prénom'), good, bert].join('\n')}\n`);
    const first = await site.import();
    const [head = '', ...rows] = fixed(first.text('rejects.csv')).split('\n');
    const saved = Buffer.concat([
      // The é of HP Roman-8, which nothing here can read.
      Buffer.from([0x50, 0x72, 0xc5]),
      Buffer.from(`${head.slice(3)}\n${rows.join('\n')}`),
    ]);
    await expect(
      site.retry(first.summary.run, { from: site.write('saved.csv', saved) }),
    ).rejects.toMatchObject({
      message: expect.stringMatching(
        /has no column "Prénom": this file is not UTF-8, so its letters cannot be read for sure/,
      ),
      next: 'Save it again as "CSV UTF-8", or as Unicode text.',
    });
  });

  it('is taken as a spreadsheet saves it: delimiter, encoding, line ends, numbers and dates, and says so', async () => {
    const { site, run, rejects } = await rejected();
    const saved = fixed(rejects)
      .replace('00123', '123')
      .replace('04109', '4109')
      .replace('2024-05-31', '31/05/2024')
      .replaceAll(';', '\t')
      .replaceAll('Carl', 'Cärl')
      .replaceAll('\n', '\r\n');
    const path = site.write('saved.csv', Buffer.from(`\ufeff${saved}`, 'utf16le'));
    const { summary, notes, exitCode } = await site.retry(run, { from: path });
    expect({ exitCode, rows: summary.rows }).toMatchObject({ exitCode: 0, rows: { created: 2 } });
    expect(fieldsOf(site, 'bert@ex.de')).toEqual({ Zip: '00123', Since: '2024-05-31' });
    expect(fieldsOf(site, 'carl@ex.de')).toEqual({ Zip: '04109', Since: '2024-05-01' });
    expect(notes).toContain(
      `${path} is read as utf-16le with a BOM, cells separated by a tab, lines ended by CRLF.`,
    );
    expect(notes).toContain(
      'A spreadsheet has changed how column "Zip" is written: "00123" is now "123" (line 2). The value is the same, and is taken as it was. So in 2 rows.',
    );
    expect(notes.filter((note) => note.includes('"Since"'))).toEqual([
      'A spreadsheet has changed how column "Since" is written: "2024-05-31" is now "31/05/2024" (line 2). The value is the same, and is taken as it was.',
    ]);
  });

  it('may be saved as a workbook, with its own numbers and dates', async () => {
    const { site, run, rejects } = await rejected();
    const [head = [], bertNow = []] = fixed(rejects)
      .split('\n')
      .map((each) => each.split(';'));
    const sheet = [head, bertNow.map((cell, n) => (n === 3 ? 123 : cell === '' ? null : cell))];
    const path = site.write('saved.xlsx', workbook({ sheets: { rejects: sheet } }));
    const { summary, notes } = await site.retry(run, { from: path });
    expect(summary).toMatchObject({ rows: { created: 1 }, matched: { taken: 1, added: 0, missing: 1 } });
    expect(fieldsOf(site, 'bert@ex.de')).toMatchObject({ Zip: '00123' });
    expect(notes.join('\n')).toContain('"00123" is now "123" (line 2)');
  });

  it('takes a true date of a workbook as the date that the cell was, also on the first twelve days of a month', async () => {
    const { site, run, rejects } = await rejected([good, 'Bert;bert at ex.de;;;05/03/1985']);
    const saved = (date: string) => {
      const [head = [], row = []] = fixed(rejects)
        .split('\n')
        .map((line) => line.split(';'));
      const cells = row.map((cell, n) =>
        n === 4
          ? { xml: `<c s="1"><v>${Date.parse(date) / 86_400_000 + 25_569}</v></c>` }
          : cell === ''
            ? null
            : cell,
      );
      return site.write(
        'saved.xlsx',
        workbook({ sheets: { rejects: [head, cells] }, styles: ['yyyy-mm-dd h:mm:ss'] }),
      );
    };
    // A spreadsheet of another country takes the day for the month.
    const swapped = await site.retry(run, { from: saved('1985-05-03') });
    expect(swapped.csv('rejects.csv')).toMatchObject([
      {
        _code: 'customFields.Since.invalid',
        _column: 'Since',
        _reason: expect.stringContaining('"05/03/1985"'),
      },
    ]);
    const { exitCode, notes } = await site.retry(run, { from: saved('1985-03-05') });
    expect(exitCode).toBe(0);
    expect(notes.join('\n')).toContain('The value is the same, and is taken as it was.');
    expect(fieldsOf(site, 'bert@ex.de')).toMatchObject({ Since: '1985-03-05' });
  });

  it('keeps a date that may have been changed as it is now, and says so', async () => {
    const { site, run, rejects } = await rejected();
    const path = site.write('saved.csv', fixed(rejects).replace('2024-05-01', '01/05/2024'));
    const { notes } = await site.retry(run, { from: path });
    expect(notes.join('\n')).toContain(
      '"2024-05-01" is now "01/05/2024" (line 3). It is taken as it is now: please verify.',
    );
    expect(fieldsOf(site, 'carl@ex.de')).toMatchObject({ Since: '2024-05-01' });
  });

  it('is refused where a spreadsheet has destroyed digits: that row alone, and the next corrected file closes it', async () => {
    const { site, run, rejects } = await rejected();
    const path = site.write('saved.csv', fixed(rejects).replace('+4915212345678', '4,91521E+12'));
    const second = await site.retry(run, { from: path });
    expect(second.summary.rows).toMatchObject({ read: 2, created: 1, rejected: 1 });
    expect(second.csv('rejects.csv')).toMatchObject([
      {
        Name: 'Bert',
        _code: 'row.digitsLost',
        _column: 'Phone',
        _reason: expect.stringContaining('"+4915212345678"'),
      },
    ]);
    expect(site.statusOf(run)).toMatchObject({ open: 1 });
    const text = second.text('rejects.csv').replace('4,91521E+12', '+4915212345678');
    const third = await site.retry(second.summary.run, { from: site.write('again.csv', text) });
    expect(third.exitCode).toBe(0);
    expect(site.statusOf(run)).toMatchObject({ open: 0 });
    expect(site.sandbox.contacts().find(({ email }) => email === 'bert@ex.de')?.phone).toBe('+4915212345678');
  });

  it('is refused where a spreadsheet has rounded a long number, in CSV and in a workbook', async () => {
    const { site, run, rejects } = await rejected([good, 'Bert;bert at ex.de;;1234567890123456789;']);
    const csv = fixed(rejects).replace('1234567890123456789', '1234567890123460000');
    const [head = [], row = []] = csv.split('\n').map((line) => line.split(';'));
    const sheet = [head, row.map((cell, n) => (n === 3 ? 1234567890123457e3 : cell === '' ? null : cell))];
    const book = workbook({ sheets: { rejects: sheet } });
    for (const from of [site.write('saved.csv', csv), site.write('saved.xlsx', book)]) {
      const second = await site.retry(run, { from });
      expect(second.summary.rows).toMatchObject({ read: 1, created: 0, rejected: 1 });
      expect(second.csv('rejects.csv')).toMatchObject([{ _code: 'row.digitsLost', _column: 'Zip' }]);
    }
  });

  it('takes an added line as a new row, and one that is there twice both times', async () => {
    const { site, run, rejects } = await rejected();
    const [head = '', first = ''] = fixed(rejects).split('\n');
    const added = 'Emil;emil@ex.de;;;;;;;;;';
    const text = [head, first, first.replace('Bert;bert', 'Berta;berta'), added, ''].join('\n');
    const { summary } = await site.retry(run, { from: site.write('added.csv', text) });
    expect(summary.matched).toMatchObject({ input: 3, taken: 3, added: 2, missing: 1 });
    expect(site.people()).toContain('Emil emil@ex.de');
  });

  it('has lines that could not be parsed, with their text: filled in they are taken, else rejected again', async () => {
    const { site, run, rejects } = await rejected([good, 'Bert;bert@ex.de;x', 'Carl;carl@ex.de;x']);
    const filled = rejects.replace(/^;;;;;/m, 'Bert;bert@ex.de;;;;');
    const { summary, csv } = await site.retry(run, { from: site.write('filled.csv', filled) });
    expect(summary.rows).toMatchObject({ read: 2, created: 1, rejected: 1 });
    expect(csv('rejects.csv')).toMatchObject([{ _code: 'row.ragged', _raw: 'Carl;carl@ex.de;x' }]);
    expect(site.statusOf(run)).toMatchObject({ open: 1 });
  });

  it('says that the lines of its messages are those of the corrected file', async () => {
    const { site, run, rejects } = await rejected();
    const from = site.write('same.csv', rejects);
    expect((await site.retry(run, { from })).notes).toContain(
      `The lines in the messages of this retry are those of ${from}.`,
    );
  });

  it('restores a guarded cell', async () => {
    const { site, run, rejects } = await rejected([good, 'Bert;bert at ex.de;;=1+1;']);
    expect(rejects).toContain(";'=1+1;");
    await site.retry(run, { from: site.write('fixed.csv', fixed(rejects)) });
    expect(fieldsOf(site, 'bert@ex.de')).toMatchObject({ Zip: '=1+1' });
  });

  it('still knows that many people share a phone, which its few rows do not show', async () => {
    const site = await retryingHere({ mapping });
    const people = ['Ann', 'Ben', 'Cle', 'Dan', 'Eve', 'Fay'];
    const shared = people.map((name) => `${name};${name.toLowerCase()}@ex.de;+493012345678;;`);
    site.write('people.csv', `${[header, ...shared, 'Gil;;+493012345678;;'].join('\n')}\n`);
    const first = await site.import();
    expect(first.summary.rows).toMatchObject({ created: 6, rejected: 1 });
    const before = site.people();
    const from = site.write('same.csv', first.text('rejects.csv'));
    const second = await site.retry(first.summary.run, { from });
    expect(second.summary.rows).toMatchObject({ read: 1, rejected: 1 });
    expect(site.people()).toEqual(before);
  });

  it('of another run, without _row and key, or with a column less is refused, and nothing is sent', async () => {
    const { site, run, rejects } = await rejected();
    site.sandbox.resetLog();
    const retry = (text: string) => site.retry(run, { from: site.write('bad.csv', text) });
    await expect(retry(rejects.replaceAll(run, '20200101-000000-other'))).rejects.toThrow(
      `rejected by run 20200101-000000-other, and not by run ${run}`,
    );
    await expect(retry(rejects.replace('_row', 'row'))).rejects.toThrow('has no column "_row"');
    await expect(retry(rejects.replace('E-Mail;', 'Mail;'))).rejects.toThrow(
      'has no column "E-Mail" any more',
    );
    expect(site.sandbox.log.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('needs no _row where the mapping has a key', async () => {
    const site = await retryingHere({ mapping: mapping.replace('contact:', 'key: Zip\ncontact:') });
    site.write('people.csv', `${[header, good, bert].join('\n')}\n`);
    const first = await site.import();
    const text = `${header}\n${bert.replace(' at ', '@')}\n`;
    const second = await site.retry(first.summary.run, { from: site.write('own.csv', text) });
    expect(second.summary.matched).toMatchObject({ input: 1, taken: 1, added: 0, missing: 0 });
    expect(second.exitCode).toBe(0);
  });
});

describe('rejects.csv is written for what opened the input', () => {
  it.each([
    ['utf-8 with a BOM and semicolons', Buffer.from(`\ufeff${header}\nBärbel;x;;;\n`), ';', true],
    [
      'windows-1252',
      Buffer.from(`${header}\nB\u00e4rbel Gr\u00fcn;x;;;\nJ\u00fcrgen M\u00fcller;y;;;\n`, 'latin1'),
      ';',
      true,
    ],
    ['utf-8 and commas', Buffer.from(`${header}\nBärbel;x;;;\n`.replaceAll(';', ',')), ',', false],
  ])('%s', async (_, content, delimiter, bom) => {
    const site = await retryingHere({ mapping });
    site.write('people.csv', content);
    const text = (await site.import()).text('rejects.csv');
    expect(text.startsWith('\ufeff')).toBe(bom);
    expect(text.replace('\ufeff', '').startsWith(`Name${delimiter}E-Mail${delimiter}`)).toBe(true);
    expect(text).toMatch(/B.rbel/u);
    expect(text).not.toContain('\ufffd');
  });
});
