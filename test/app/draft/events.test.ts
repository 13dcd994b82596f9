import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findContactColumns } from '../../../src/app/draft/columns/contact-columns.ts';
import { inspectInput } from '../../../src/app/draft/input/found-input.ts';
import { profileInput } from '../../../src/app/draft/input/read-input.ts';
import type { InputSettings } from '../../../src/app/draft/input/stated.ts';
import { collectPeople, mostValues } from '../../../src/app/draft/profile/people-sample.ts';
import { isLong } from '../../long.ts';
import { checked, drafted, newFolder, removeFolders } from './drafting.ts';

afterAll(removeFolders);

async function mappingOf(lines: readonly string[], stated: InputSettings = {}) {
  const made = await drafted(`${lines.join('\n')}\n`, 'input.csv', stated);
  const { pipeline, wrong } = await checked(made);
  expect(wrong).toEqual([]);
  const { mapping } = pipeline.import.mapping;
  return { mapping, text: made.draft.mapping.text, notes: made.draft.notes, todos: made.draft.todos };
}

const bookings = [
  'Booking ID,Booking date,Service,Price,Branch,Client name,Client phone,Client email',
  'B-1,2025-01-03,Haircut,25,North,Anna Nowak,+48 601 234 501,anna@example.com',
  'B-2,2025-01-04,Beard trim,15,South,Piotr Zielony,+48 601 234 502,',
  'B-3,2025-01-10,Colouring,120,North,Anna Nowak,+48 601 234 501,Anna@example.com',
  'B-4,2025-01-11,Beard trim,15,South,Piotr Zielony,+48 601 234 502,',
  'B-5,2025-01-14,Haircut,25,North,Ewa Mazur,+48 601 234 503,ewa@example.com',
  'B-6,2025-01-18,Haircut,25,South,Piotr Zielony,+48601234502,',
];

describe('rows that are events of people', () => {
  it('are comments, and what is the same in all rows of a person is a field', async () => {
    const { mapping, text, notes, todos } = await mappingOf(bookings);
    expect(mapping.comments).toEqual([
      {
        name: 'row',
        key: 'Booking ID',
        text: 'Booking ID: {Booking ID}\nBooking date: {Booking date}\nService: {Service}\nPrice: {Price}',
      },
    ]);
    expect(Object.keys(mapping.customFields ?? {})).toEqual(['Branch']);
    expect(text).toMatch(/^key: false # a row is an event, and no column identifies the person$/m);
    expect(todos).toEqual([]);
    expect(notes).toEqual([
      'A row seems to be an event of a person, such as an order or a booking: the rows of one person differ in Booking ID, Booking date, Service, Price. Each row is kept as a comment, and these columns are no fields: please verify.',
    ]);
  });

  it('are known by the key of the person where they have one', async () => {
    const { mapping } = await mappingOf([
      'Order No,Date,Customer ID,Email,First name,Last name',
      '1,2025-01-03,77,ada@example.com,Ada,Lovelace',
      '2,2025-01-04,78,bob@example.com,Bob,Stone',
      '3,2025-01-05,77,ada@example.com,Ada,Lovelace',
      '4,2025-01-06,78,bob@example.com,Bob,Stone',
    ]);
    expect(mapping.key).toBe('Customer ID');
    expect(mapping.customFields).toBeUndefined();
  });

  it('have the key that the user states', async () => {
    const { mapping } = await mappingOf(bookings, { key: 'Booking ID' });
    expect(mapping.key).toBe('Booking ID');
  });

  it('keep a value that only some rows of a person have, a note, and one that changes now and then', async () => {
    const people = ['ada', 'bob', 'cyd', 'dan', 'eve'];
    const row = (n: number, who: string, city: string) =>
      `${n},2025-02-0${n % 9 || 9},${n % 2 ? 'shipped' : ''},${city},${n === 3 ? 'Gift' : ''},${who}@example.com,${who}`;
    const { mapping } = await mappingOf([
      'Order,Date,Shipped,City,Note,Email,First name',
      ...people.map((who, at) => row(at + 1, who, 'Paris')),
      ...people.map((who, at) => row(at + 6, who, at === 0 ? 'Lyon' : 'Paris')),
    ]);
    expect(mapping.comments).toMatchObject([
      { text: 'Order: {Order}\nDate: {Date}\nShipped: {Shipped}\nCity: {City}\nNote: {Note}' },
    ]);
    expect(Object.keys(mapping.customFields ?? {})).toEqual(['Shipped', 'City']);
  });

  it('are told apart from people who are there twice, and from families with one e-mail', async () => {
    const people = Array.from(
      { length: 10 },
      (_, n) => `${n},2025-01-${n + 10},Person${n}x@example.com,Ada${'bcdefghijk'[n]},Moss`,
    );
    const { mapping: twice } = await mappingOf([
      'Id,Created,Email,First name,Last name',
      ...people,
      '21,2025-02-01,person1x@example.com,Adac,Moss',
      '22,2025-02-02,person2x@example.com,Adad,Moss',
    ]);
    expect(twice.comments).toBeUndefined();
    expect(Object.keys(twice.customFields ?? {})).toEqual(['Created']);
    const { mapping: family } = await mappingOf([
      'Joined,Class,Email,First name,Last name',
      '2025-01-01,A,moss@example.com,Ada,Moss',
      '2025-01-02,B,moss@example.com,Bob,Moss',
      '2025-01-03,A,stone@example.com,Cyd,Stone',
      '2025-01-04,B,stone@example.com,Dan,Stone',
    ]);
    expect(family.comments).toBeUndefined();
  });

  it('are people where they have keys of people', async () => {
    const { mapping } = await mappingOf([
      'Contact ID,Created,Email,First name',
      '1,2025-01-01,ada@example.com,Ada',
      '2,2025-01-02,ada@example.com,Ada',
      '3,2025-01-03,bob@example.com,Bob',
      '4,2025-01-04,bob@example.com,Bob',
    ]);
    expect(mapping).toMatchObject({ key: 'Contact ID' });
    expect(mapping.comments).toBeUndefined();
  });
});

describe('the name in a file of orders or tickets', () => {
  it('is that of who pays, and not the number of the order in a column called Name', async () => {
    const { mapping } = await mappingOf([
      'Name,Email,Lineitem name,Billing Name,Total',
      '#1001,olivia@example.com,Mug,Olivia Smith,45',
      '#1001,olivia@example.com,Bowl,,',
      '#1002,liam@example.org,Poster,Liam Jones,20',
      '#1003,olivia@example.com,Mug,Olivia Smith,60',
      '#1004,liam@example.org,Poster,Liam Jones,35',
    ]);
    expect(mapping.contact.firstName).toMatchObject({ from: 'Billing Name', part: 'given' });
    expect(mapping.contact.lastName).toMatchObject({ from: 'Billing Name', part: 'family' });
    expect(mapping.comments).toMatchObject([{ key: 'Name' }]);
  });

  it('is that of the requester', async () => {
    const { mapping } = await mappingOf([
      'Ticket ID,Subject,Requester,Requester email',
      '1,Cannot log in,Maria Lopez,maria@example.com',
      '2,Invoice wrong,John Brown,john@example.com',
      '3,Password Reset,Maria Lopez,maria@example.com',
      '4,Delivery Late,John Brown,john@example.com',
    ]);
    expect(mapping.contact.firstName).toMatchObject({ from: 'Requester', part: 'given' });
  });

  it('is never that of the staff who took a call', async () => {
    const made = await drafted(
      [
        'date,phone,user,duration',
        '2024-05-01,+33612345678,Paul Agent,125',
        '2024-05-02,+33612345679,Anna Agent,15',
        '2024-05-03,+33612345678,Anna Agent,60',
        '2024-05-04,+33612345679,Paul Agent,60',
        '',
      ].join('\n'),
      'calls.csv',
    );
    expect(made.draft.mapping.text).toContain('which column holds the first name?');
  });

  it('may be written with commas in a column called Client', async () => {
    const { mapping } = await mappingOf([
      'Client ID,Client,Visit date,Email',
      '100001,"Adler, Zoe",2024-03-04,zoe@example.com',
      '100002,"Berg, Abel",2024-03-04,abel@example.com',
      '100001,"Adler, Zoe",2024-03-06,zoe@example.com',
      '100002,"Berg, Abel",2024-03-07,abel@example.com',
    ]);
    expect(mapping).toMatchObject({
      key: 'Client ID',
      contact: { firstName: { from: 'Client', part: 'given' }, lastName: { from: 'Client', part: 'family' } },
    });
  });
});

describe('the e-mail in a list of payments', () => {
  it('is that of who pays, and not the one of the shop in every row', async () => {
    const { mapping, text } = await mappingOf([
      'Date,Name,From Email Address,To Email Address,Transaction ID,Gross',
      '2024-03-01,Laura Stein,laura@example.de,shop@example.com,8AB12345,50.00',
      '2024-03-02,Marc Petit,marc@example.fr,shop@example.com,8AB12346,20.00',
      '2024-03-13,Laura Stein,laura@example.de,shop@example.com,8AB12347,-50.00',
      '2024-03-14,Marc Petit,marc@example.fr,shop@example.com,8AB12348,35.00',
    ]);
    expect(mapping.contact.email).toMatchObject({ from: 'From Email Address' });
    expect(mapping.comments).toMatchObject([{ key: 'Transaction ID' }]);
    expect(text).toContain('the same in every row: To Email Address');
  });
});

describe('of a wide input', () => {
  const many = Array.from({ length: 100 }, (_, n) => `Answer ${n}`);
  const rowOf = (person: number, day: number) =>
    [
      person * 10 + day,
      `2025-01-0${day}`,
      `p${person}@example.com`,
      ...many.map((_, n) => `${person} ${n}`),
    ].join(',');
  const people = Array.from({ length: 1_300 }, (_, n) => n);
  const rows = [...people.map((n) => rowOf(n, 1)), ...people.slice(0, 650).map((n) => rowOf(n, 2))];
  const text = [['Order No', 'Date', 'Email', ...many].join(','), ...rows, ''].join('\n');

  it('only as many people are compared as there is memory for, each with all rows', async () => {
    const folder = newFolder();
    const { signal } = new AbortController();
    const inspected = async (name: string, content: string) => {
      writeFileSync(join(folder, name), content);
      return await inspectInput({ path: join(folder, name), spoolDir: folder }, {}, signal);
    };
    // The profile of a few rows has the same columns, and takes less time.
    const few = await inspected('few.csv', text.split('\n').slice(0, 10).join('\n'));
    const { table } = await profileInput(few, signal);
    const { source } = await inspected('wide.csv', text);
    const columns = findContactColumns(table.columns);
    const sample = await collectPeople(source.read(0, signal), columns, table.columns);
    const kept = sample.flatMap(({ cells }) => [...cells.values()].map(({ values }) => values.size));
    expect(kept.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(mostValues);
    expect(sample.length).toBeGreaterThan(300);
    const again = sample.filter(({ rows: n }) => n === 2).length;
    expect(again / sample.length).toBeGreaterThan(0.4);
    expect(again / sample.length).toBeLessThan(0.6);
  });

  it.skipIf(!isLong)('the rows of the people compared are enough to recognise events', async () => {
    const { draft } = await drafted(text, 'input.csv');
    expect(draft.mapping.text).toContain('comments:');
  });
});
