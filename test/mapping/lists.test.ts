import { describe, expect, test } from 'vitest';
import {
  checkColumns,
  compileMapping,
  findMissingOptionalColumns,
  parseMapping,
  runMappingExamples,
} from '../../src/mapping/index.ts';
import type { Cell, NestedRow, Row } from '../../src/model/row.ts';
import { draftOf, mapped, mappingWith } from './drafts.ts';
import { rowOf } from './rows.ts';

type Cells = Readonly<Record<string, Cell>>;

/** A row with lists, as a joined table or an array gives them. */
function withLists(cells: Cells, lists: Readonly<Record<string, readonly Cells[]>>): Row {
  const listed = (each: Cells): NestedRow => {
    const found = new Map(Object.entries(each));
    return { cell: (column) => found.get(column), entries: () => [...found] };
  };
  return { ...rowOf({ E: 'a@b.co', ...cells }), list: (name) => lists[name]?.map(listed) };
}

function draft(below: string, row: Row) {
  const found = compileMapping(mappingWith(below))(row);
  if (!found.ok) throw new Error(JSON.stringify(found.problems));
  return found.draft;
}

describe('comments of each row of a list', () => {
  const rule = 'comments: [{ each: notes, key: id, order: at, text: "{at} {Owner}: {body}" }]';
  const comments = (notes: readonly Cells[], below = rule) =>
    draft(below, withLists({ Owner: 'Jane' }, { notes }));

  test('stand in the order of a column, and each is known by its key', () => {
    const notes = [
      { id: '8', at: '2024-02-01', body: 'Second' },
      { id: '9', at: null, body: 'Whenever' },
      { id: '7', at: '2024-01-01', body: 'First' },
    ];
    expect(comments(notes).comments).toEqual([
      { id: 'notes:7', text: '2024-01-01 Jane: First' },
      { id: 'notes:8', text: '2024-02-01 Jane: Second' },
      { id: 'notes:9', text: 'Jane: Whenever' },
    ]);
  });

  test('numbers are ordered by their size', () => {
    const notes = ['1000', '200', '30'].map((at) => ({ id: at, at, body: 'x' }));
    expect(comments(notes).comments?.map(({ id }) => id)).toEqual(['notes:30', 'notes:200', 'notes:1000']);
  });

  test('a column of the listed row stands before one of the row', () => {
    const notes = [
      { id: '7', at: '1', body: 'x', Owner: 'Bob' },
      { id: '8', at: '2', body: 'y', Owner: null },
    ];
    expect(comments(notes).comments?.map(({ text }) => text)).toEqual(['1 Bob: x', '2 : y']);
  });

  test('there is none where the columns that it needs are empty, whatever the others have', () => {
    const notes = [
      { id: '7', at: '2024-01-01', body: ' ', title: null },
      { id: '8', at: '2024-01-02', body: '<p>&nbsp;</p>', title: '' },
      { id: '9', at: '2024-01-03', body: null, title: 'Called' },
    ];
    const entry = 'each: notes, key: id, order: at, html: [body], text: "{at} {Owner}: {title}{body}"';
    const ids = (needs: string) =>
      comments(notes, `comments: [{ ${entry}${needs} }]`).comments?.map(({ id }) => id);
    expect(ids('')).toEqual(['notes:7', 'notes:8', 'notes:9']);
    expect(ids(', needs: [title, body]')).toEqual(['notes:9']);
    expect(ids(', needs: body')).toEqual([]);
  });

  test('what cannot be told apart is left out and noted, unless it is the same', () => {
    const notes = [
      { id: '7', at: '1', body: 'x' },
      { id: ' ', at: '2', body: 'nameless' },
      { id: '7', at: '1', body: 'x' },
      { id: '7', at: '3', body: 'other' },
    ];
    const found = comments(notes);
    expect(found.comments).toEqual([{ id: 'notes:7', text: '1 Jane: x' }]);
    expect(found.dropped.map(({ code, column }) => [code, column])).toEqual([
      ['comments.noKey', 'id'],
      ['comments.sameKey', 'id'],
    ]);
  });

  test('lists that stand side by side are one sequence', () => {
    const both = `comments:
  - { each: notes, key: id, order: at, text: "{body}" }
  - { each: calls, key: id, order: at, text: "{body}" }
  - { each: mails, key: id, text: "{body}" }
  - { name: end, text: "{Owner}" }`;
    const lists = {
      mails: [{ id: '1', body: 'm' }],
      notes: ['1', '3'].map((at) => ({ id: at, at, body: `n${at}` })),
      calls: ['2', '4'].map((at) => ({ id: at, at, body: `c${at}` })),
    };
    const texts = draft(both, withLists({ Owner: 'Jane' }, lists)).comments?.map(({ text }) => text);
    expect(texts).toEqual(['n1', 'c2', 'n3', 'c4', 'm', 'Jane']);
  });

  test('show HTML as its text, and dates in one form by which they are ordered', () => {
    const fixed = `comments:
  - { each: notes, key: id, order: at, html: [body], dates: { at: "M/d/yyyy H:mm" }, text: "{at} {by}: {body}" }`;
    const notes = [
      { id: '8', at: '10/1/2023 9:00', by: 'A&amp;B', body: '<p>x &lt; y</p>' },
      { id: '7', at: '9/2/2023 17:30', by: '', body: 'O&#039;Brien' },
      { id: '9', at: 'later', by: '', body: 'z' },
    ];
    expect(comments(notes, fixed).comments?.map(({ text }) => text)).toEqual([
      "2023-09-02 17:30 : O'Brien",
      '2023-10-01 09:00 A&amp;B: x < y',
      'later : z',
    ]);
  });

  test('dates may be written in several ways, tried in order', () => {
    const rule = `comments:
  - { each: notes, key: id, order: at, dates: { at: [d/M/yyyy H:mm, d/M/yyyy, iso] }, text: "{at}" }`;
    const notes = [
      { id: '1', at: '3/4/2021' },
      { id: '2', at: '2021-02-01' },
      { id: '3', at: '2/4/2021 9:05' },
    ];
    expect(comments(notes, rule).comments?.map(({ text }) => text)).toEqual([
      '2021-02-01',
      '2021-04-02 09:05',
      '2021-04-03',
    ]);
  });

  test('bear their own name where one is stated, and mention nobody who stands in the data', () => {
    const named = 'comments: [{ name: n, each: notes, key: id, text: "{body}" }]';
    expect(comments([{ id: '7', body: 'ask {{@user.5}}' }], named).comments).toEqual([
      { id: 'n:7', text: 'ask { {@user.5}}' },
    ]);
  });

  test('a row without the list has none', () => {
    expect(draftOf(rule, { Owner: 'Jane' }).comments).toEqual([]);
  });

  test('an entry without a key is refused', () => {
    expect(() => mappingWith('comments: [{ each: notes, text: "{body}" }]')).toThrow(/"each" needs a key/);
  });
});

describe('columns of a list', () => {
  const labels = [{ name: 'VIP' }, { name: null }, { name: 'Blog' }];

  test.each([['labels.name'], ['labels[].name']])('%s: all its cells are candidates', (from) => {
    const row = withLists({}, { labels });
    expect(draft(`tags: { from: "${from}" }`, row).tags).toEqual(['VIP', 'Blog']);
    const joined = `customFields: { F: { from: "${from}", type: text, join: " / " } }`;
    expect(draft(joined, row).values.customFields).toEqual({ F: 'VIP / Blog' });
    const template = `customFields: { F: { template: "has {${from}}", type: text } }`;
    expect(draft(template, row).values.customFields).toEqual({ F: 'has VIP, Blog' });
  });

  test('plain elements stand under no name', () => {
    expect(draft('tags: { from: "tags[]" }', withLists({}, { tags: [{ '': 'a' }] })).tags).toEqual(['a']);
  });

  test('the first valid one is taken of e-mails', () => {
    const map = compileMapping(
      parseMapping('mapping: a\ncontact: { email: { from: "mails[].value" } }\n', 'm.yaml'),
    );
    const found = map(withLists({}, { mails: [{ value: 'none' }, { value: 'c@d.co' }] }));
    expect(found.ok && found.draft.values.contact.email).toBe('c@d.co');
  });

  test.each([
    ['mails[].value', '', ['c@d.co']],
    ['mails.value', '', ['c@d.co']],
    ['mails[].value', ', join: ", "', []],
    ['mails.value', ', join: ", "', []],
  ])('e-mails of %s beyond the first are noted unless a text field joins them all%s', (from, join, left) => {
    const fields = `customFields: { All: { from: "${from}", type: text${join} } }`;
    const map = compileMapping(
      parseMapping(`mapping: a\ncontact: { email: { from: "${from}" } }\n${fields}\n`, 'm.yaml'),
    );
    const found = map(withLists({}, { mails: [{ value: 'a@b.co' }, { value: 'c@d.co' }] }));
    if (!found.ok) throw new Error(JSON.stringify(found.problems));
    const { values, dropped } = found.draft;
    expect(values.customFields).toEqual({
      All: ['a@b.co', 'c@d.co'].filter((each) => !left.includes(each)).join(', '),
    });
    expect(dropped.map(({ code, column }) => [code, column])).toEqual(
      left.map(() => ['email.other', expect.anything()]),
    );
    for (const [n, each] of left.entries()) expect(dropped[n]?.reason).toContain(each);
  });

  test('a column that really has that name wins, and an empty list says nothing', () => {
    const rule = 'customFields: { F: { from: company.name, type: text } }';
    expect(
      draft(rule, withLists({ 'company.name': 'Acme' }, { company: [{ name: 'Other' }] })).values,
    ).toMatchObject({ customFields: { F: 'Acme' } });
    expect(draft(rule, withLists({}, { company: [] })).values.customFields).toEqual({});
  });
});

describe('what the mapping reads is there', () => {
  const mapping = mappingWith(
    'tags: { from: "labels[].name" }\ncomments: [{ each: notes, key: id, text: "{body} {E}" }]',
  );
  const reasons = (columns: readonly string[], lists: Parameters<typeof checkColumns>[2]) =>
    checkColumns(mapping, columns, lists).map(({ line, reason }) => `${line}: ${reason}`);

  test('in the lists and columns of the input', () => {
    const lists = [
      { name: 'notes', columns: ['id', 'body'] },
      { name: 'labels', columns: null },
    ];
    expect(reasons(['E'], lists)).toEqual([]);
    expect(reasons(['E', 'labels', 'notes'], [])).toEqual([]);
  });

  test('or is named, with what is there instead', () => {
    expect(
      reasons(
        ['E'],
        [
          { name: 'notes', columns: ['id', 'text'] },
          { name: 'label', columns: ['name'] },
        ],
      ),
    ).toEqual([
      '3: the input has no column "labels[].name"; it has "E"',
      '4: neither notes nor the input has a column "body"; it has "id", "text", "E"',
    ]);
    expect(reasons(['E', 'labels'], [])).toEqual([
      '4: the input has no list "notes"; a list is a join with "many: true", or a column with a JSON array',
    ]);
    expect(reasons(['E', 'labels'], [{ name: 'note', columns: null }])).toEqual([
      '4: the input has no list "notes"; did you mean "note"?',
    ]);
  });
});

describe('what an input may lack', () => {
  const base = 'mapping: a\nkey: ID\ncontact: { email: { from: [E, E2] }, lastName: { from: L } }\n';
  const below = 'tags: { from: "labels[].name" }\ncomments: [{ each: notes, key: id, text: "{body}" }]\n';
  const missing = (optional: string, columns: readonly string[]) =>
    checkColumns(parseMapping(`${base}optional: ${optional}\n${below}`, 'm.yaml'), columns).map(
      ({ key }) => key,
    );

  test('are the columns and lists that are named, or all', () => {
    expect(missing('[E2, L, "labels[].name", notes]', ['ID', 'E'])).toEqual([]);
    expect(missing('[E2, L]', ['ID', 'E'])).toEqual(['tags.from', 'comments.0.each']);
    expect(missing('all', ['ID', 'E2'])).toEqual([]);
  });

  test('is never the key, nor whatever says who a row is', () => {
    expect(missing('all', ['L'])).toEqual(['key', 'contact.email.from.0', 'contact.email.from.1']);
  });

  test('is said', () => {
    const mapping = parseMapping(`${base}optional: all\n${below}`, 'm.yaml');
    expect(findMissingOptionalColumns(mapping, ['ID', 'E'])).toEqual(['notes', 'L', 'E2', 'labels[].name']);
  });
});

test('a field of HTML is the text that it shows, before all else', () => {
  const rule =
    'customFields: { F: { from: F, type: text, html: true, replace: { pattern: "&", with: "and" } } }';
  expect(draftOf(rule, { F: '<b>A &amp; B</b> ' }).values.customFields).toEqual({ F: 'A and B' });
});

test('examples can have lists', () => {
  const examples = `tags: { from: "tags[]" }
customFields: { Company: { from: company.name, type: text }, Labels: { from: labels.name, type: text, join: "," } }
comments: [{ each: notes, key: id, text: "{body}" }]
tests:
  - row: { E: a@b.co, tags: [x, y], company.name: Acme, labels: [{ name: k }, { name: l }], notes: [{ id: 7, body: Hi }] }
    expect: { tags: [x, y], customFields: { Company: Acme, Labels: "k,l" }, comments: { "notes:7": Hi } }
  - row: { E: a@b.co }
    expect: { tags: [], customFields: { Company: null, Labels: null }, comments: { "notes:7": null } }
`;
  expect(runMappingExamples(mappingWith(examples)).map(({ message }) => message)).toEqual(['', '']);
});

test('a row without lists reads none', () => {
  expect(mapped('tags: { from: "tags[]" }', {})).toMatchObject({ ok: true, draft: { tags: [] } });
});
