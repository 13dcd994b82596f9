import { afterAll, describe, expect, it } from 'vitest';
import { drafted, removeFolders } from './drafting.ts';

afterAll(removeFolders);

/** Returns whether the draft makes a comment of each row. */
async function isOfEvents(header: string, rows: readonly string[]): Promise<boolean> {
  const { draft } = await drafted(`${[header, ...rows].join('\n')}\n`, 'input.csv');
  return draft.mapping.text.includes('comments:');
}

const people = Array.from({ length: 10 }, (_, n) => {
  const name = `Ada${'bcdefghijk'[n]}`;
  return { n, name, email: `${name.toLowerCase()}@example.com`, phone: `+4930123450${n}` };
});
type Person = (typeof people)[number];

/** Returns a row for each person, and a further one for the first `again` of them. */
const twice = (again: number, rowOf: (person: Person, copy: number) => string) => [
  ...people.map((person) => rowOf(person, 0)),
  ...people.slice(0, again).map((person) => rowOf(person, 1)),
];
const day = ({ n }: Person, copy: number) => `2025-0${copy + 1}-${n + 10}`;

describe('a contact list in which many people are there twice is no list of events', () => {
  const lists: Readonly<Record<string, readonly [header: string, rows: readonly string[]]>> = {
    'copies of two systems, with the days of their records': [
      'Created,First name,Last name,Email,City',
      twice(6, (p, copy) => `${day(p, copy)},${p.name},Moss,${p.email},Paris`),
    ],
    'with an id of each record': [
      'Id,Erstellt am,Vorname,Nachname,E-Mail',
      twice(6, (p, copy) => `${900 + p.n * 7 + copy * 100},${day(p, copy)},${p.name},Moss,${p.email}`),
    ],
    'copies in which company and job title were written otherwise': [
      'Date,Name,Email,Company,Job title',
      twice(
        6,
        (p, copy) =>
          `${day(p, copy)},${p.name} Moss,${p.email},Acme${copy ? ' Inc' : ''},CEO${copy ? '.' : ''}`,
      ),
    ],
    'people who have moved and have another phone': [
      'Last updated,First name,Email,Phone,Street,City',
      twice(
        5,
        (p, copy) =>
          `${day(p, copy)},${p.name},${p.email},${p.phone}${copy},Main St ${p.n + copy},${copy ? 'Rome' : 'Paris'}`,
      ),
    ],
    'subscribers of two newsletters': [
      'Signup date,Email,First name,List',
      twice(7, (p, copy) => `${day(p, copy)},${p.email},${p.name},${copy ? 'News' : 'Offers'}`),
    ],
    'leads that came twice, with a score and a source': [
      'Inscription,Prénom,Nom,Courriel,Origine,Score',
      twice(
        5,
        (p, copy) => `${day(p, copy)},${p.name},Moss,${p.email},${copy ? 'web' : 'salon'},${p.n + copy * 10}`,
      ),
    ],
    'customers with a last order and what they have spent': [
      'Email,First name,Last order date,Total spent',
      twice(5, (p, copy) => `${p.email},${p.name},${day(p, copy)},${p.n * 10 + copy}.00`),
    ],
    'copies of which one lacks what the other has': [
      'Added,Email,First name,Company,Phone',
      twice(
        6,
        (p, copy) => `${day(p, copy)},${p.email},${p.name},${copy ? '' : 'Acme'},${copy ? p.phone : ''}`,
      ),
    ],
  };
  it.each(Object.entries(lists))('%s', async (_what, [header, rows]) => {
    expect(await isOfEvents(header, rows)).toBe(false);
  });
});

it('the draft of calls says that the contact is in one column or another', async () => {
  const notesOf = async (directions: readonly [string, string]) => {
    const rows = people.map(
      ({ phone }, n) =>
        `${n + 1},${directions[n % 2]},${n % 2 ? '+4930999999' : phone},${n % 2 ? phone : '+4930999999'}`,
    );
    const { draft } = await drafted(`Call ID,Direction,From,To\n${rows.join('\n')}\n`, 'calls.csv');
    return draft.notes.filter((note) => note.startsWith('The contact of a row is in'));
  };
  expect(await notesOf(['inbound', 'outbound'])).toEqual([
    expect.stringContaining('"From" or "To", as "Direction" says'),
  ]);
  expect(await notesOf(['inbound', 'inbound'])).toEqual([]);
});

describe('rows are events', () => {
  const exports: Readonly<Record<string, readonly [header: string, rows: readonly string[]]>> = {
    'orders with an amount': [
      'Order ID,Created at,Email,First name,Total,Status',
      twice(
        4,
        (p, copy) =>
          `${1000 + p.n * 2 + copy},${day(p, copy)},${p.email},${p.name},${p.n + copy}.50,${copy ? 'paid' : 'open'}`,
      ),
    ],
    'bookings in German, without ids': [
      'Datum,Behandlung,Vorname,Nachname,Telefon',
      twice(5, (p, copy) => `${day(p, copy)},${copy ? 'Massage' : 'Maniküre'},${p.name},Moss,${p.phone}`),
    ],
    tickets: [
      'Ticket ID,Created,Subject,Requester,Requester email,Status',
      twice(
        4,
        (p, copy) =>
          `${p.n * 3 + copy},${day(p, copy)},Question ${p.n} ${copy},${p.name} Moss,${p.email},open`,
      ),
    ],
    'payments with fees': [
      'Date,Gross,Fee,Transaction ID,Name,Email',
      twice(
        4,
        (p, copy) => `${day(p, copy)},${p.n + 10 + copy},1,8AB${p.n}C${copy},${p.name} Moss,${p.email}`,
      ),
    ],
    donations: [
      'Donor name,Donor email,Amount,Gift date,Fund',
      twice(5, (p, copy) => `${p.name} Moss,${p.email},${copy ? 20 : 50},${day(p, copy)},General`),
    ],
    'visits that have only a day': [
      'Date,First name,Last name,Phone',
      twice(5, (p, copy) => `${day(p, copy)},${p.name},Moss,${p.phone}`),
    ],
    'attendees of several webinars': [
      'Webinar,Registration time,Email,First name',
      twice(
        6,
        (p, copy) => `${copy ? 'Growth' : 'Basics'} ${p.n % 3},${day(p, copy)} 10:00,${p.email},${p.name}`,
      ),
    ],
    calls: [
      'Started,Duration,Phone,First name,Agent',
      twice(5, (p, copy) => `${day(p, copy)} 10:0${copy},${p.n + 30 + copy},${p.phone},${p.name},Paul`),
    ],
    'invoices of which few people have two': [
      'Rechnungsnummer,Rechnungsdatum,Betrag,Vorname,Nachname,E-Mail',
      twice(2, (p, copy) => `R-${p.n * 2 + copy},${day(p, copy)},${p.n + copy},${p.name},Moss,${p.email}`),
    ],
  };
  it.each(Object.entries(exports))('%s', async (_what, [header, rows]) => {
    expect(await isOfEvents(header, rows)).toBe(true);
  });

  it('and an id in one word is the key of their comments', async () => {
    const [header, rows] = exports['invoices of which few people have two'] ?? ['', []];
    const { draft } = await drafted(`${[header, ...rows].join('\n')}\n`, 'input.csv');
    expect(draft.mapping.text).toContain('key: Rechnungsnummer');
  });

  it('also where people come again only after many rows', async () => {
    const row = (n: number, copy: number) =>
      `${n + copy * 30_000},2025-01-0${copy + 1},p${n}@example.com,${n % 90}.50`;
    const all = Array.from({ length: 25_000 }, (_, n) => n);
    const rows = [...all.map((n) => row(n, 0)), ...all.slice(0, 1_000).map((n) => row(n, 1))];
    expect(await isOfEvents('Order ID,Date,Email,Total', rows)).toBe(true);
  });
});
