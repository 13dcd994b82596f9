import { describe, expect, it } from 'vitest';
import { findLossKind, lossKinds, runLossCodes } from '../../../../src/app/run/left-behind/kinds.ts';
import {
  addFirstPassLosses,
  addUnreachedRowLosses,
  listJoinLosses,
  listRejectedRowLosses,
  redactLossExamples,
  summariseLosses,
  takeHigherLossCounts,
} from '../../../../src/app/run/left-behind/left-behind.ts';
import { rowCodeExplanations } from '../../../../src/cli/explain/row-codes.ts';
import {
  formatLeftBehindDetails,
  formatLeftBehindFix,
  formatLeftBehindTitle,
} from '../../../../src/model/left-behind.ts';
import type { ProblemCount } from '../../../../src/model/problem.ts';

const loss = (code: string, n: number, more: Partial<ProblemCount> = {}): ProblemCount => ({
  ...{ code, n },
  examples: [{ line: 7, column: 'Telefon', reason: '"12" has too few digits.' }],
  ...more,
});

/** Codes of rows by which nothing of the input is lost without a word: they have an outcome of their own. */
const noLoss =
  /^(row\.|workspace\.|undo|plan\.|person\.|contact\.|identity\.(missing|exists|stale|doubled)$|comments\.(uncertain|confirmed)$|<field>\.)/;

describe('every code of a row', () => {
  it.each(rowCodeExplanations.map(({ code }) => code).filter((code) => !noLoss.test(code)))(
    '%s is a kind of loss',
    (code) => {
      expect(findLossKind(code)).toBeDefined();
    },
  );
});

it.each([
  ['email.folded', 'foldedValues'],
  ['customFields.Company.folded', 'foldedValues'],
  ['assignee.folded', 'foldedValues'],
  ['identity.folded', 'folded'],
  ['customFields.Company.notAllowed', 'values'],
])('%s is of the kind %s', (code, kind) => {
  expect(findLossKind(code)?.kind).toBe(kind);
});

it.each([
  ['comments.left', 'commentsForExisting', true],
  ['comments.edited', 'comments', false],
  ['comments.noKey', 'comments', false],
  ['comments.sameKey', 'comments', false],
  ['comments.repeated', 'commentsRepeated', false],
])(
  'the advice about %s is that of the kind %s, and names comments.existing: %s',
  (code, kind, isExisting) => {
    const found = findLossKind(code);
    expect(found?.kind).toBe(kind);
    expect(found?.fix.includes('comments.existing')).toBe(isExisting);
    expect(/repeated|same comment/.test(found?.fix ?? '')).toBe(code === 'comments.repeated');
  },
);

describe('every kind of loss', () => {
  it.each(lossKinds)('$kind says what it is, how often, where all are listed and what to change', (kind) => {
    const [code = ''] = kind.codes;
    const [item, ...others] = summariseLosses([loss(code.replace('*', 'invalid'), 1_234)]);
    expect(others).toEqual([]);
    if (item === undefined) throw new Error('not found');
    const { fix, file } = kind;
    const title = kind.titleOfRows ?? kind.title;
    expect(item).toMatchObject({ kind: kind.kind, title, n: 1_234, file, fix });
    expect(formatLeftBehindTitle(item)).toContain(`${title}: 1,234`);
    expect(formatLeftBehindDetails(item)).toEqual([
      ...(kind.byField ? ['invalid (1,234)'] : []),
      'line 7: Telefon: "12" has too few digits.',
    ]);
    expect(formatLeftBehindFix(item)).toBe(file === null ? fix : `Listed in ${file} of the run. ${fix}`);
  });

  it('has a name and a title of its own, and no code is of two', () => {
    for (const of of ['kind', 'title'] as const)
      expect(new Set(lossKinds.map((kind) => kind[of])).size).toBe(lossKinds.length);
    const codes = lossKinds.flatMap((kind) => kind.codes);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).toEqual(expect.arrayContaining(Object.values(runLossCodes)));
  });
});

it('values of merged rows are counted by the field that loses them, the most frequent first', () => {
  const [item] = summariseLosses([
    loss('assignee.folded', 1),
    loss('customFields.Booking date.folded', 12),
    loss('email.folded', 3),
  ]);
  expect(item?.values).toEqual([
    { value: 'Booking date', n: 12 },
    { value: 'email', n: 3 },
    { value: 'assignee', n: 1 },
  ]);
});

it('tags to attach by hand are counted in rows, unless the number of contacts is known', () => {
  const found = [loss(runLossCodes.tagsByHand, 4)];
  expect(summariseLosses(found)[0]?.title).toBe('Rows whose tags need to be attached by hand');
  expect(summariseLosses(found, 3)[0]?.title).toBe('Rows whose tags need to be attached by hand');
  expect(summariseLosses(found, 4)[0]?.title).toBe('Contacts whose tags need to be attached by hand');
});

it('tags to attach by hand are those of the whole input only where each of its rows is a contact of the file', () => {
  const { tagsByHand } = runLossCodes;
  const examples = [{ line: 2, column: null, reason: 'Friends' }];
  const ofInput = [loss(tagsByHand, 4, { examples, values: [{ value: 'Friends', n: 4 }] })];
  const ofContacts = (n: number) => [loss(tagsByHand, n, { examples: [] })];
  expect(addFirstPassLosses(ofContacts(4), ofInput)).toEqual(ofInput);
  // The others have their tags since an earlier import.
  expect(addFirstPassLosses(ofContacts(1), ofInput)).toEqual(ofContacts(1));
});

describe('what counts come to', () => {
  it('is nothing where nothing was lost', () => {
    expect(summariseLosses([])).toEqual([]);
    expect(summariseLosses([loss('row.ragged', 2), loss('phone.invalid', 0)])).toEqual([]);
  });

  it('puts the codes of a kind together, with the first line of all', () => {
    const late = loss('phone.tooLong', 2, { examples: [{ line: 3, column: null, reason: 'long' }] });
    expect(summariseLosses([loss('phone.invalid', 5), late])).toMatchObject([
      { kind: 'phones', n: 7, example: { line: 3, text: 'long' } },
    ]);
  });

  it('names the most frequent values and says how many more there are', () => {
    const values = [9, 8, 7, 6, 5, 1, 1].map((n, at) => ({ value: `User ${at}`, n }));
    const [owners] = summariseLosses([loss('assignee.unknown', 37, { values })]);
    expect(owners && formatLeftBehindDetails(owners)[0]).toBe(
      'User 0 (9), User 1 (8), User 2 (7), User 3 (6), User 4 (5) and 2 more',
    );
  });

  it('is nothing but its row where no cell and no reason is kept', () => {
    const [item] = summariseLosses([
      loss('comments.split', 1, { examples: [{ line: 7, column: null, reason: '' }] }),
    ]);
    expect(item && formatLeftBehindDetails(item)).toEqual(['line 7']);
  });

  it('is one line, whatever the cells hold', () => {
    const [item] = summariseLosses([
      loss('phone.invalid', 1, {
        examples: [{ line: 1, column: 'A\nB', reason: 'x\ny' }],
        values: [{ value: 'a\nb', n: 1 }],
      }),
    ]);
    expect(JSON.stringify(item)).not.toContain('\\n');
  });
});

describe('rows of the journal and the first pass over the input', () => {
  const firstPass = [
    loss('assignee.unknown', 9, { values: [{ value: 'Anna', n: 9 }] }),
    loss('phone.invalid', 4),
    loss(runLossCodes.columns, 2, { values: [{ value: 'Fax', n: 1 }] }),
  ];

  it('count as the journal says; values of cells, and what no row has, are of the first pass', () => {
    const found = addFirstPassLosses([loss('assignee.unknown', 8, { examples: [] })], firstPass);
    expect(found).toMatchObject([
      { code: 'assignee.unknown', n: 8, values: [{ value: 'Anna' }], examples: [{ line: 7 }] },
      { code: runLossCodes.columns, n: 2 },
    ]);
  });

  it('count a code once that rows of two outcomes have', () => {
    const found = addFirstPassLosses([loss('assignee.unknown', 5), loss('assignee.unknown', 3)], firstPass);
    expect(summariseLosses(found).find(({ kind }) => kind === 'owners')).toMatchObject({
      n: 8,
      values: [{ value: 'Anna', n: 9 }],
    });
  });

  it('count as the first pass says where the import has not come to the rows', () => {
    const found = takeHigherLossCounts([loss('assignee.unknown', 2), loss('email.folded', 1)], firstPass);
    expect(found.map(({ code, n }) => [code, n])).toEqual([
      ['email.folded', 1],
      [runLossCodes.columns, 2],
      ['assignee.unknown', 9],
      ['phone.invalid', 4],
    ]);
  });

  it('are kept without the cells of people', () => {
    const [phone, columns] = redactLossExamples([loss('phone.invalid', 4), loss(runLossCodes.columns, 2)]);
    expect(phone?.examples).toEqual([{ line: 7, column: 'Telefon', reason: '' }]);
    expect(columns?.examples[0]?.reason).not.toBe('');
  });
});

it('rows rejected for a key of another person are a kind of their own', () => {
  const found = summariseLosses(listRejectedRowLosses(12, [loss('email.invalid', 9), loss('key.reused', 3)]));
  expect(found.map(({ kind, n, file }) => [kind, n, file])).toEqual([
    ['rejected', 9, 'rejects.csv'],
    ['keysReused', 3, 'rejects.csv'],
  ]);
});

it('a row of the main table that cannot be read is a rejected row, and no row of a joined table', () => {
  const use = { rows: 3, used: 2, people: 2, filtered: 0 };
  const broken = [{ reason: 'broken' as const, rows: 1, examples: [{ line: 4, id: null }] }];
  const main = { table: 'contacts', role: 'main' as const, ...use, unjoined: broken };
  const joined = { table: 'notes', role: 'joined' as const, ...use, unjoined: broken };
  expect(listJoinLosses({ named: [main], others: [] })).toEqual([]);
  expect(listJoinLosses({ named: [main, joined], others: [] })).toMatchObject([
    { code: runLossCodes.unjoined, n: 1, values: [{ value: 'notes', n: 1 }], examples: [{ line: 4 }] },
  ]);
});

it('rows that name a row of a joined table that is not there are counted by table', () => {
  const counts = { rows: 3, used: 2, people: 2, filtered: 0, unjoined: [] };
  const unresolved = { rows: 5, examples: [{ line: 4, id: null }] };
  const accounts = { table: 'accounts', role: 'joined' as const, ...counts, unresolved };
  expect(listJoinLosses({ named: [accounts], others: [] })).toEqual([
    {
      ...{ code: runLossCodes.unresolved, n: 5, values: [{ value: 'accounts', n: 5 }] },
      examples: [{ line: 4, column: null, reason: 'its row of accounts is not there' }],
    },
  ]);
});

it('tables that are not read are counted, and named with their rows; those without rows are none', () => {
  const others = [
    { table: 'calls', rows: null },
    { table: 'deals', rows: 12 },
    { table: 'log', rows: 0 },
  ];
  const values = [
    { value: 'deals', n: 12 },
    { value: 'calls', n: 1 },
  ];
  const unread = { code: runLossCodes.notRead, n: 2, examples: [], values };
  expect(listJoinLosses({ named: [], others })).toEqual([unread]);
});

it('the error budget: how many rows an import does not reach, and at which row it stops', () => {
  const [item] = summariseLosses(
    addUnreachedRowLosses([], { row: 213, line: 214, message: '11 of 213 rows.' }, 1_000),
  );
  expect(item).toMatchObject({
    n: 787,
    example: { line: 214, text: 'An import would stop at row 213: 11 of 213 rows.' },
  });
});
