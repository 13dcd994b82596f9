import type {
  ExportColumn,
  ExportColumnType,
  ExportKind,
  ExportRecord,
  ExportTable,
} from '../../src/model/export-record.ts';

/** A value, and how a typed format shows it: null where the value is not of the column's type. */
export interface Cell {
  readonly value: unknown;
  readonly is: unknown;
  /** A sheet has it as a text: its numbers and days do not reach so far. */
  readonly textInSheets?: true;
  /** A sheet has one type for all numbers. */
  readonly inSheets?: unknown;
}

export interface Sample {
  readonly table: ExportTable;
  readonly records: readonly ExportRecord[];
  /** By record, then by column. */
  readonly cells: readonly (readonly Cell[])[];
}

/** Texts that are told wrongly somewhere. */
export const nastyTexts: readonly string[] = [
  '',
  ' leading and trailing ',
  'Zoë, "quoted"; semicolon\tand tab',
  'two\nlines',
  'two\r\nlines',
  'a lone\rreturn',
  '😀 👩‍👩‍👧 é e\u0301 中文 עברית',
  'NUL \0 within, \u0001 \u0007 \u001F \u007F \u0085 \u200B \uFEFF \uFFFE \uFFFF',
  'line \u2028 and paragraph \u2029 ends',
  'half a character \uD83D here, and \uDE00 there',
  '=1+1',
  '+60123456789',
  '+1 202-555-0143',
  '-5',
  '-2+3',
  '@SUM(A1)',
  '\t=1+1',
  '\r=1+1',
  '＝1+1',
  "'=1+1",
  "'plain",
  "O'Neill",
  '<b>&amp;</b> ]]> <!-- -->',
  '_x000D_ and _x0041_x0042_',
  'null',
  'NaN',
  '007',
  '1e5',
  '9007199254740993',
  '\\N \\" \\',
  '"',
  '""',
  'true',
  '{"a":1}',
];

const types: { readonly [T in ExportColumnType]: readonly Cell[] } = {
  text: [
    { value: 42, is: '42' },
    { value: true, is: 'true' },
    { value: { deep: ['x'] }, is: '{"deep":["x"]}' },
  ],
  integer: [
    { value: 7, is: 7n },
    { value: '-12', is: -12n },
    { value: 0, is: 0n },
    { value: '9007199254740993', is: 9_007_199_254_740_993n, textInSheets: true },
    { value: '12345678901234567890', is: null, textInSheets: true },
    { value: 1.5, is: null, inSheets: 1.5 },
    { value: 'seven', is: null },
    { value: '', is: null },
  ],
  number: [
    { value: 3.5, is: 3.5 },
    { value: '42', is: 42 },
    { value: '-0.25', is: -0.25 },
    { value: 1e21, is: 1e21 },
    { value: '1.5E3', is: 1500 },
    { value: '0.1234567890123456', is: 0.1234567890123456, textInSheets: true },
    { value: 1.7e308, is: 1.7e308, textInSheets: true },
    { value: '1e999', is: null },
    { value: '1,5', is: null },
    { value: true, is: null },
  ],
  boolean: [
    { value: true, is: true },
    { value: false, is: false },
    { value: 'true', is: true },
    { value: 'yes', is: null },
    { value: 1, is: null },
  ],
  moment: [
    { value: '2026-11-21T08:15:30Z', is: new Date(Date.UTC(2026, 10, 21, 8, 15, 30)) },
    { value: '2026-11-21T08:15:30.250+08:00', is: new Date(Date.UTC(2026, 10, 21, 0, 15, 30, 250)) },
    { value: '1850-01-01T00:00:00Z', is: new Date(Date.UTC(1850, 0, 1)), textInSheets: true },
    { value: '2026-02-31T00:00:00Z', is: null },
    { value: '2026-11-21 08:15', is: null },
    { value: 1_700_000_000, is: null },
  ],
  date: [
    { value: '2026-11-21', is: new Date(Date.UTC(2026, 10, 21)) },
    { value: '1900-02-28', is: new Date(Date.UTC(1900, 1, 28)), textInSheets: true },
    { value: '2026-02-30', is: null },
    { value: '21.11.2026', is: null },
  ],
  texts: [
    { value: ['vip', 'Zoë'], is: ['vip', 'Zoë'] },
    { value: [], is: [] },
    { value: ['', 'a'], is: ['', 'a'] },
    { value: ['=1+1'], is: ['=1+1'] },
    { value: 'vip', is: null },
    { value: [{ name: 'vip' }], is: null },
  ],
  json: [
    { value: { a: [1, 'two', null] }, is: '{"a":[1,"two",null]}' },
    { value: [1, 2], is: '[1,2]' },
    { value: 'text', is: '"text"' },
  ],
};

const nothing: Cell = { value: null, is: null };
const absent: Cell = { value: undefined, is: null };

/** How a text stands in a file of UTF-8. */
export function utf8(text: string): string {
  return Buffer.from(text).toString();
}

/** A cell of a column of texts. */
export function text(value: string): Cell {
  return { value, is: utf8(value) };
}

function column(name: string, type: ExportColumnType, path: readonly string[] = [name]): ExportColumn {
  return { name, type, path };
}

/** Records of those cells. */
export function sample(
  kind: ExportKind,
  columns: readonly ExportColumn[],
  cells: readonly (readonly Cell[])[],
  givenOf: (normal: ExportRecord['normal']) => ExportRecord['given'],
): Sample {
  const records = cells.map((row) => {
    const normal = normalOf(columns, row);
    return { normal, given: givenOf(normal) };
  });
  return { table: { kind, columns }, records, cells };
}

function normalOf(columns: readonly ExportColumn[], row: readonly Cell[]): ExportRecord['normal'] {
  const outer = new Map<string, unknown>();
  const inner = new Map<string, Map<string, unknown>>();
  columns.forEach(({ path: [first = '', second] }, index) => {
    const value = row[index]?.value;
    if (value === undefined) return;
    if (second === undefined) outer.set(first, value);
    else inner.set(first, (inner.get(first) ?? new Map()).set(second, value));
  });
  for (const [first, values] of inner) outer.set(first, Object.fromEntries(values));
  return Object.fromEntries(outer);
}

const contactColumns = [
  column('id', 'integer'),
  column('firstName', 'text'),
  column('E-mail', 'text', ['email']),
  column('phone', 'text'),
  column('assignee.id', 'integer', ['assignee', 'id']),
  column('isBlocked', 'boolean'),
  column('created', 'moment'),
  column('tags', 'texts'),
  column('Plan', 'text', ['customFields', 'Plan']),
  column('Plan', 'text', ['customFields', 'Plan "B" \0']),
  column('Lead.Score', 'number', ['customFields', 'Lead.Score']),
  column('__proto__', 'text', ['customFields', '__proto__']),
  column("=it's", 'text', ['customFields', "=it's"]),
  column('gone', 'text', ['customFields', 'Nowhere']),
  column('inherited', 'text', ['customFields', 'toString']),
  column('deep', 'text', ['no', 'such']),
  column('given', 'text', ['language']),
];

function contactCells(note: string, number: number): readonly Cell[] {
  const tags = number % 3 === 0 ? [] : ['vip', 'Zoë'];
  const numbered = number % 2 === 0 ? { value: String(number / 4), is: number / 4 } : nothing;
  return [
    { value: number + 1, is: BigInt(number + 1) },
    text(note),
    number % 4 === 0 ? nothing : text(`contact${number}@example.com`),
    text('+60123456789'),
    number % 5 === 0 ? nothing : { value: 12, is: 12n },
    { value: number % 2 === 0, is: number % 2 === 0 },
    { value: '2026-01-02T03:04:05Z', is: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)) },
    { value: tags, is: tags },
    text(note),
    nothing,
    numbered,
    text(`proto ${note}`),
    text(note),
    absent,
    absent,
    absent,
    text('en'),
  ];
}

const messageColumns = [
  ...['id', 'contactId', 'channelId'].map((name) => column(name, 'integer')),
  ...['text', 'sender', 'channelMessageId', 'failure'].map((name) => column(name, 'text')),
  column('created', 'moment'),
  column('message', 'json'),
];

function messageCells(note: string, number: number): readonly Cell[] {
  const message = { type: 'text', text: note };
  return [
    { value: 1_000 + number, is: BigInt(1_000 + number) },
    { value: Math.floor(number / 2) + 1, is: BigInt(Math.floor(number / 2) + 1) },
    { value: 5, is: 5n },
    text(note),
    nothing,
    number % 2 === 0 ? text(`wamid.${number}`) : nothing,
    text(note),
    { value: '2026-01-02T03:04:05Z', is: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)) },
    { value: message, is: JSON.stringify(message) },
  ];
}

function messageGiven({ id, contactId, message }: ExportRecord['normal']): ExportRecord['given'] {
  return { messageId: id, contactId, message, status: [{ value: 'sent', timestamp: 1_767_323_045 }] };
}

const typeNames = ['text', 'integer', 'number', 'boolean', 'moment', 'date', 'texts', 'json'] as const;
const objectColumns = [
  column('id', 'integer'),
  column('name', 'text'),
  ...typeNames.map((type) => column(type, type, ['values', type])),
];

/** Every value of every type, and every text. */
function objectCells(): readonly (readonly Cell[])[] {
  const count = Math.max(nastyTexts.length, ...typeNames.map((type) => types[type].length)) + 1;
  return Array.from({ length: count }, (_, index) => [
    { value: index + 1, is: BigInt(index + 1) },
    text(`object ${index}`),
    ...typeNames.map((type) => {
      const note = nastyTexts[index - types.text.length];
      if (type === 'text' && note !== undefined) return text(note);
      return types[type][index] ?? nothing;
    }),
  ]);
}

const objectKinds = ['changes', 'users', 'customFields', 'closingNotes', 'tags', 'templates'] as const;

/** Records of every kind, in the order in which an export writes them. */
export const samples: readonly Sample[] = [
  sample('contacts', contactColumns, nastyTexts.map(contactCells), (normal) => ({ ...normal, raw: true })),
  sample('messages', messageColumns, nastyTexts.map(messageCells), messageGiven),
  sample('messageUpdates', messageColumns, nastyTexts.map(messageCells), messageGiven),
  ...objectKinds.map((kind) =>
    sample(kind, objectColumns, objectCells(), (normal) => ({ id: normal.id, a: { b: [] } })),
  ),
];
