import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { answered, drafted, removeFolders } from './drafting.ts';

afterAll(removeFolders);

/** The type of each column of a file. */
async function typesOf(content: string, name?: string): Promise<Readonly<Record<string, string>>> {
  const { draft } = await drafted(content, name);
  return Object.fromEntries(draft.columns.map(({ name: column, type }) => [column, type]));
}

describe('the type that a draft gives a column', () => {
  it('is text for addresses of computers, whose points part no thousands', async () => {
    const rows = ['10.100.200.101', '10.123.245.250', '10.111.112.113'].map(
      (ip, n) => `${n}@example.com,${ip},1.234.567`,
    );
    const types = await typesOf(`Email,Address,Turnover\n${rows.join('\n')}\n`);
    expect(types).toEqual({ Email: 'email', Address: 'text', Turnover: 'number' });
  });

  it('is no checkbox for a single 1 or 0, and one for many', async () => {
    const few = await typesOf('Email,Employees,Opt-in\na@example.com,1,yes\nb@example.com,,yes\n');
    expect(few).toMatchObject({ Employees: 'number', 'Opt-in': 'checkbox' });
    const many = [1, 2, 3, 4].map((n) => `${n}@example.com,${n === 2 ? '' : 1}`).join('\n');
    expect(await typesOf(`Email,Active\n${many}\n`)).toMatchObject({ Active: 'checkbox' });
  });

  it('is a date with Arabic-Indic digits', async () => {
    const rows = ['٠٥/٠٦/١٩٥٤', '٢٥/١٢/١٩٨٨'].map((day, n) => `${n}@example.com,${day}`).join('\n');
    expect(await typesOf(`Email,Born\n${rows}\n`)).toMatchObject({ Born: 'date' });
  });

  it('is a date where one cell of a short file is none', async () => {
    const rows = (days: readonly string[]) =>
      `Email,Born\n${days.map((day, n) => `${n}@example.com,${day}`).join('\n')}\n`;
    const days = ['1987-09-27', '1983-07-32', '1999-05-04', '1993-09-10', '1980-12-05'];
    expect(await typesOf(rows(days))).toMatchObject({ Born: 'date' });
    expect(await typesOf(rows(days.slice(0, 4)))).toMatchObject({ Born: 'text' });
    expect(await typesOf(rows([...days, 'in May']))).toMatchObject({ Born: 'text' });
  });

  it('is text for phones, faxes and postal codes of digits alone', async () => {
    const types = await typesOf(
      'Email,Home Phone,Fax,Postal Code,Score\na@example.com,2025550143,2025550144,12345,12\n',
    );
    expect(types).toEqual({
      Email: 'email',
      'Home Phone': 'text',
      Fax: 'text',
      'Postal Code': 'text',
      Score: 'number',
    });
    const card =
      'BEGIN:VCARD\nVERSION:2.1\nN:Lovelace;Ada\nTEL;HOME:2025550143\nADR;HOME:;;1 Quay;Hull;;12345;UK\nEND:VCARD\n';
    expect(await typesOf(card, 'book.vcf')).toMatchObject({ 'TEL.home': 'text', 'ADR.home.code': 'text' });
  });
});

describe('what a draft says of the person', () => {
  it('takes the e-mail of whoever looks after the contact for none of theirs', async () => {
    const { draft } = await drafted(
      'NAME,PHONE,OWNER:User-username\nAda Lovelace,2025550143,jane@example.com\nBob Byrne,2025550144,jane@example.com\n',
    );
    expect(draft.mapping.text).not.toMatch(/^ {2}email:/m);
    expect(draft.mapping.text).toMatch(/^ {2}phone:/m);
  });

  it('says that a number which most rows share tells nobody apart', async () => {
    const rows = (phone: (n: number) => string) =>
      [1, 2, 3, 4].map((n) => `Name ${n},${phone(n)}`).join('\n');
    const shared = await drafted(`Name,Phone\n${rows(() => '2025550143')}\n`);
    expect(shared.draft.mapping.text).toContain('which identifies no one');
    const own = await drafted(`Name,Phone\n${rows((n) => `202555014${n}`)}\n`);
    expect(own.draft.mapping.text).not.toContain('look for another column');
    const few = await drafted(`Name,Phone\n${rows((n) => (n === 1 ? '2025550143' : ''))}\n`);
    expect(few.draft.mapping.text).toContain('a row without one is rejected');
  });

  it.each([
    ['"Zanetti, Beatrice"', '"Donà, Noè"'],
    ['Beatrice Zanetti', 'Noè Donà'],
  ])(
    'splits a column of full names such as %s when it is the answer, whatever it is called',
    async (...names) => {
      const rows = names.map((name, n) => `${name},${n}@example.com`).join('\n');
      const { draft } = await drafted(`Wer,Email\n${rows}\n`);
      const given = { 'the first name': 'Wer', 'the last name': 'Wer' };
      const { contact } = parse(answered(draft.mapping.text, given));
      expect(contact).toMatchObject({
        firstName: { from: 'Wer', part: 'given' },
        lastName: { from: 'Wer', part: 'family' },
      });
    },
  );

  it('is refused, with the reason, where no row can be read: its questions would have no answer', async () => {
    await expect(drafted('Name,Place\nAda,"37"N 121"W"\n')).rejects.toThrow(
      'contacts.csv has no row that can be read. There is a quote inside a cell',
    );
  });

  it('says that no column holds anything', async () => {
    const { draft } = await drafted('Name,Place\n');
    expect(draft).toMatchObject({ rows: 0, broken: 0 });
    expect(draft.todos.map(({ question }) => question)).toContainEqual(
      expect.stringMatching(/first name\? All columns are empty$/),
    );
  });
});

describe('a draft of JSON that is a single object', () => {
  it('says that it cannot be read, and not that it should be read as what it is', async () => {
    const written = JSON.stringify({ Name: 'Ada', Email: 'ada@example.com' }, null, 2);
    await expect(drafted(written, 'one.json')).rejects.toThrow('is an object, not an array of records');
  });
});
