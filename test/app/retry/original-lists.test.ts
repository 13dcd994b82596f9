import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, it } from 'vitest';
import { canCorrectRejects } from '../../../src/app/run/input.ts';
import { workbook } from '../../sources/builders/xlsx.ts';
import { type Retrying, retryingHere } from './retrying.ts';

const mapping = `mapping: crm
contact:
  firstName: { from: name }
  email: { from: email }
tags: { from: labels.label }
comments:
  - { each: notes, key: id, order: at, text: "{author.name} of {company.name}: {body}" }
`;

const source = {
  format: 'dump',
  path: 'crm',
  table: 'people',
  join: {
    company: { table: 'companies', on: { company: 'id' } },
    labels: { table: 'labels', on: { id: 'person' }, many: true },
    notes: {
      table: 'notes',
      on: { id: 'person' },
      many: true,
      join: { author: { table: 'users', on: { by: 'id' } } },
    },
  },
};

const tables = {
  people: `id,name,email,company
1,Ann,ann@example.com,c1
2,Bob,bob at example,c1
3,Cleo,cleo at example,c2
`,
  companies: 'id,name\nc1,Engines\nc2,Looms\n',
  labels: 'person,label\n2,vip\n2,north\n3,south\n',
  notes: `id,person,by,at,body
n1,1,u1,2021-05-01,Met Ann
n2,2,u9,2021-05-02,Called
n3,2,u1,2021-05-01,Met Bob
n4,3,u1,2021-05-03,"Wrote, at length"
`,
  users: 'id,name\nu1,Una\n',
};

type Line = Readonly<Record<string, string>>;

/** Writes the tables of the dump, with other texts in place of some. */
function writeTables(site: Retrying, others: Partial<typeof tables> = {}): void {
  for (const [name, text] of Object.entries({ ...tables, ...others })) site.write(`crm/${name}.csv`, text);
}

async function rejected(others: Partial<typeof tables> = {}, more = {}) {
  const site = await retryingHere({ mapping, source, ...more });
  writeTables(site, others);
  const first = await site.import();
  expect(first.exitCode).toBe(3);
  const lines = first.csv('rejects.csv');
  const retry = (corrected: readonly Line[], run = first.summary.run) =>
    site.retry(run, { from: site.write('corrected.csv', stringify([...corrected], { header: true })) });
  return { site, first, run: first.summary.run, lines, retry };
}

const fixed = (line: Line): Line => ({
  ...line,
  email: (line.email ?? '').replace(' at example', '@example.com'),
});

function commentsOf({ sandbox }: Retrying, email: string): readonly string[] | undefined {
  const contact = sandbox.contacts().find((each) => each.email === email);
  return contact && sandbox.comments(contact.id).map(({ text }) => text);
}

const bobs = ['Una of Engines: Met Bob', 'of Engines: Called'];

const writes = ({ sandbox }: Retrying) =>
  sandbox.log.filter(({ method, path }) => method !== 'GET' && path !== '/contact/list');

describe('a corrected row of an input with joined lists', () => {
  it('is imported with its comments and tags, once', async () => {
    const { site, run, lines, retry } = await rejected();
    expect(lines.map(({ name }) => name)).toEqual(['Bob', 'Cleo']);
    const second = await retry(lines.map(fixed).toReversed());
    expect(second.exitCode).toBe(0);
    expect(second.summary).toMatchObject({
      rows: { read: 2, created: 2 },
      matched: { input: 2, taken: 2, added: 0, missing: 0 },
    });
    expect(commentsOf(site, 'bob@example.com')).toEqual(bobs);
    expect(commentsOf(site, 'cleo@example.com')).toEqual(['Una of Looms: Wrote, at length']);
    expect(second.csv('contact-tags.csv').map(({ email, tags }) => [email, tags])).toEqual([
      ['cleo@example.com', 'south'],
      ['bob@example.com', 'vip;north'],
    ]);
    expect(site.statusOf(run)).toMatchObject({ open: 0 });

    site.sandbox.resetLog();
    const again = await retry(lines.map(fixed));
    expect(again.summary.matched).toMatchObject({ input: 2, taken: 0, done: 2 });
    expect(writes(site)).toEqual([]);
    expect(readdirSync(join(site.workDir, 'spool')).filter((name) => name.includes('.lists.'))).toEqual([]);
  });

  it('may be saved as a workbook', async () => {
    const { site, run, lines } = await rejected();
    const [bob = {}] = lines;
    const rows = [Object.keys(bob), Object.values(fixed(bob)).map((cell) => (cell === '' ? null : cell))];
    const from = site.write('saved.xlsx', workbook({ sheets: { rejects: rows } }));
    expect((await site.retry(run, { from })).summary.rows).toMatchObject({ read: 1, created: 1 });
    expect(commentsOf(site, 'bob@example.com')).toEqual(bobs);
  });

  it('that is rejected again is corrected in the next rejects.csv', async () => {
    const { site, run, lines, retry } = await rejected();
    const second = await retry(lines.map((line) => ({ ...line, email: `${line.email} still` })));
    expect(second.summary.rows).toMatchObject({ read: 2, rejected: 2 });
    const left = second
      .csv('rejects.csv')
      .map(({ email = '', ...line }) => ({ ...line, email: email.replace(' still', '') }));
    const third = await retry(left.map(fixed), second.summary.run);
    expect(third.exitCode).toBe(0);
    expect(commentsOf(site, 'bob@example.com')).toEqual(bobs);
    expect(commentsOf(site, 'cleo@example.com')).toHaveLength(1);
    expect(site.statusOf(run)).toMatchObject({ open: 0 });
  });

  it('is refused where an earlier correction has made two rows alike', async () => {
    const { site, lines, retry } = await rejected();
    const alike = {
      id: '2',
      name: 'Bob',
      email: 'no',
      company: 'c1',
      'company.id': 'c1',
      'company.name': 'x',
    };
    const second = await retry(lines.map((line) => ({ ...line, ...alike })));
    expect(second.summary.rows).toMatchObject({ read: 2, rejected: 2 });
    site.sandbox.resetLog();
    const [left = {}] = second.csv('rejects.csv');
    const refused = retry([{ ...left, email: 'bob@example.com' }], second.summary.run);
    await expect(refused).rejects.toThrow('does not name a row whose place in the input is certain');
    expect(writes(site)).toEqual([]);
  });

  it('has the lists of its own row, whichever of several with the same cells it was', async () => {
    const { site, lines, retry } = await rejected({
      people: `${tables.people}2,Bob,bob at example,c1\n`,
    });
    const twins = lines.filter(({ name }) => name === 'Bob');
    expect(twins).toHaveLength(2);
    const { summary } = await retry(twins.map((line, n) => ({ ...line, email: `bob${n}@example.com` })));
    expect(summary.rows).toMatchObject({ read: 2, created: 2 });
    expect([0, 1].map((n) => commentsOf(site, `bob${n}@example.com`)?.length)).toEqual([2, 2]);
  });

  it('is refused where the input has changed since, though its own cells have not, and nothing is sent', async () => {
    const { site, run, lines, retry } = await rejected();
    writeTables(site, { notes: tables.notes.replace('Called', 'Called twice') });
    site.sandbox.resetLog();
    const refused = retry(lines.map(fixed));
    await expect(refused).rejects.toThrow(
      `the input, or how the pipeline reads it, has changed since run ${run}`,
    );
    await expect(refused).rejects.toMatchObject({ reason: 'input', place: { line: 2 } });
    // A place in front of a message is left out where the message names the file.
    await expect(refused).rejects.not.toThrow('corrected.csv');
    expect(writes(site)).toEqual([]);
    // As the message says: correct the input, and leave out --from.
    writeTables(site, { people: tables.people.replaceAll(' at example', '@example.com') });
    await site.retry(run);
    expect(commentsOf(site, 'bob@example.com')).toHaveLength(2);
  });

  it.each<readonly [string, (line: Line) => Line, string]>([
    ['no _row', (line) => ({ ...line, _row: '' }), '"_row" is empty'],
    ['a _row that is none', (line) => ({ ...line, _row: 'x' }), '"_row" does not name a row'],
    [
      'the _row of no row',
      (line) => ({ ...line, _row: (line._row ?? '').replace(/:.*/, ':AAAAAAAAAAAAAAAA') }),
      '"_row" does not name a row',
    ],
  ])('with %s is refused, and nothing is sent', async (_, change, message) => {
    const { site, lines, retry } = await rejected();
    site.sandbox.resetLog();
    const refused = retry(lines.map(fixed).map((line, n) => (n === 1 ? change(line) : line)));
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toMatchObject({ place: { line: 3 } });
    expect(writes(site)).toEqual([]);
  });

  it('is refused in a file without the column _row, also where the mapping has a key', async () => {
    const { site, lines, retry } = await rejected(
      {},
      { mapping: mapping.replace('contact:', 'key: id\ncontact:') },
    );
    site.sandbox.resetLog();
    const refused = retry(lines.map(fixed).map(({ _row, ...line }) => line));
    await expect(refused).rejects.toThrow('does not hold it: what is in it would be left out');
    expect(writes(site)).toEqual([]);
  });

  it('that could not be read is refused once it is filled in: its lists are not known', async () => {
    const { site, lines, retry } = await rejected({ people: `${tables.people}4,Dan,dan@example.com\n` });
    const broken = lines.find(({ _code }) => _code === 'row.ragged');
    expect(broken).toBeDefined();
    const others = lines.filter((line) => line !== broken).map(fixed);
    site.sandbox.resetLog();
    const filled = { ...broken, id: '4', name: 'Dan', email: 'dan@example.com' };
    await expect(retry([...others, filled])).rejects.toThrow('could not be read there');
    expect(writes(site)).toEqual([]);
    const left = await retry([...others, { ...broken }]);
    expect(left.summary.rows).toMatchObject({ read: 3, created: 2, rejected: 1 });
  });
});

describe('a corrected row of a JSON input', () => {
  const json = async () => {
    const site = await retryingHere({
      mapping: `mapping: notes
contact: { firstName: { from: name }, email: { from: email } }
comments: [{ each: notes, key: id, text: "{text}" }]
`,
      source: { format: 'json', path: 'people.json' },
    });
    const notes = [
      { id: 'a', text: 'met' },
      { id: 'b', text: 'called' },
    ];
    site.write(
      'people.json',
      JSON.stringify([
        { name: 'Ann', email: 'ann@example.com', notes: [] },
        { name: 'Bob', email: 'bob at example', notes },
      ]),
    );
    const first = await site.import();
    const [line = {}] = first.csv('rejects.csv');
    const retry = (corrected: Line) =>
      site.retry(first.summary.run, { from: site.write('c.csv', stringify([corrected], { header: true })) });
    return { site, line: fixed(line), retry };
  };

  it('has its lists in its cells', async () => {
    const { site, line, retry } = await json();
    expect((await retry(line)).exitCode).toBe(0);
    expect(commentsOf(site, 'bob@example.com')).toEqual(['met', 'called']);
  });

  it('is rejected where a spreadsheet has cut off a list', async () => {
    const { site, line, retry } = await json();
    const cut = await retry({ ...line, notes: (line.notes ?? '').slice(0, -5) });
    expect(cut.csv('rejects.csv')).toMatchObject([{ _code: 'row.json', _column: 'notes' }]);
    expect(commentsOf(site, 'bob@example.com')).toBeUndefined();
  });
});

it('rows of a live workspace with their messages cannot be corrected in rejects.csv', () => {
  expect(canCorrectRejects({ format: 'workspace', options: { messages: true } })).toBe(false);
  expect(canCorrectRejects({ format: 'workspace', options: {} })).toBe(true);
  const { format, ...options } = source;
  expect(canCorrectRejects({ format, options })).toBe(true);
});
