import {
  type JournalDatabase,
  type KnownKeyRecord,
  listMissingKeys,
  listOpenQuestions,
  listRowsWithContact,
  listTaggedContacts,
  listUnprocessedRows,
  type QuestionAnswer,
  type QuestionRecord,
  type RowWithContact,
  type RowWithProblems,
  type RunRecord,
  readFinishedRowRange,
  type TaggedContactRecord,
  toKnownKeyScope,
  type UnprocessedRow,
} from '../../../journal/index.ts';
import type { RowCounts } from '../../../model/outcome.ts';
import { formatRowLine } from '../../../model/row-place.ts';
import {
  type CsvListStyle,
  chooseCsvListStyle,
  formatCsvList,
  iteratePagesAsync,
} from '../../../report/csv-list.ts';
import { selectCount } from '../../../storage/sql.ts';

/** The columns of each list, by its name in the summary; docs/reference shows them. */
export const columnsByList = {
  contacts: ['_sheet', '_line', '_key', 'contactId', 'identifier', 'outcome'],
  contactTags: ['contactId', 'email', 'phone', 'tags'],
  dropped: ['_sheet', '_line', '_key', '_code', '_column', '_reason'],
  notTaken: ['_why', '_run', '_sheet', '_line', '_now', '_key', '_outcome', '_code', '_reason'],
  uncertain: [
    'resend',
    '_run',
    '_sheet',
    '_line',
    '_key',
    'contactId',
    'identifier',
    'step',
    'text',
    'sentAt',
  ],
  samePerson: [
    ...['answer', '_sheet', '_line', '_key', 'evidence'],
    ...['other', 'other_sheet', 'other_line', 'other_key', 'other_contact'],
    ...['row', 'other'].flatMap((side) => [
      `${side}.firstName`,
      `${side}.lastName`,
      `${side}.email`,
      `${side}.phone`,
      `${side}.further`,
      `${side}.birthDate`,
    ]),
  ],
  gone: ['_key', 'contactId', 'identifier', 'lastLine'],
  unjoined: ['table', 'line', 'id', 'parent', 'reason'],
} as const;

const batchSize = 5_000;

/** Yields what `read` returns for the rows of a run, in batches, so that memory use and blocking stay bounded. */
export async function* readRowBatches<T>(
  file: JournalDatabase,
  run: RunRecord,
  read: (from: number, to: number) => readonly T[],
): AsyncIterable<readonly T[]> {
  // Selected rows are spread over the whole input.
  const { least, greatest } = readFinishedRowRange(file, run.number);
  for (let from = least ?? 0; from <= (greatest ?? -1); from += batchSize) {
    const rows = read(from, from + batchSize);
    if (rows.length > 0) yield rows;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Yields the text of contacts.csv in chunks: a line for every row that led to a contact. */
export function formatContactsCsv(file: JournalDatabase, run: RunRecord): AsyncIterable<string> {
  const windows = readRowBatches(file, run, (from, to) => listRowsWithContact(file, run, from, to));
  const cells = ({ line, sheet, key, contact, identifier, outcome }: RowWithContact) => [
    sheet ?? '',
    formatRowLine(line),
    key ?? '',
    contact === null ? '' : String(contact),
    identifier ?? '',
    outcome,
  ];
  return formatCsvList(columnsByList.contacts, windows, cells, chooseCsvListStyle(run));
}

/** Yields the text of contact-tags.csv in chunks: a line for every contact with tags, for a manual import. */
export function formatContactTagsCsv(file: JournalDatabase, run: number): AsyncIterable<string> {
  const pages = iteratePagesAsync<TaggedContactRecord>((after, limit) =>
    listTaggedContacts(file, run, after?.contact ?? -1, limit),
  );
  return formatCsvList(columnsByList.contactTags, pages, ({ contact, email, phone, tags }) => [
    String(contact),
    email ?? '',
    phone ?? '',
    tags.join(';'),
  ]);
}

/** Yields the text of dropped.csv in chunks: a line for every problem of rows that are not in rejects.csv. */
export function formatDroppedValuesCsv(
  windows: AsyncIterable<readonly RowWithProblems[]>,
  style: CsvListStyle,
): AsyncIterable<string> {
  return formatCsvList(columnsByList.dropped, linesOf(windows), (line) => line, style);
}

async function* linesOf(
  windows: AsyncIterable<readonly RowWithProblems[]>,
): AsyncIterable<readonly string[][]> {
  for await (const rows of windows) {
    yield rows.filter(({ outcome }) => outcome !== 'rejected' && outcome !== 'failed').flatMap(lines);
  }
}

function lines(row: RowWithProblems): string[][] {
  return row.problems.map((problem) => [
    row.sheet ?? '',
    formatRowLine(row.line),
    row.key ?? '',
    problem.code,
    problem.column ?? '',
    problem.reason,
  ]);
}

/**
 * Yields the text of same-person.csv in chunks. Each line asks whether a row and another row, or a row and a contact,
 * are one person, and has the answer if `answers` has one by `formatQuestionId`. Questions that another run has an answer
 * to have no line.
 */
export function formatSamePersonCsv(
  file: JournalDatabase,
  run: RunRecord,
  answers: ReadonlyMap<string, QuestionAnswer> = new Map(),
): AsyncIterable<string> {
  const pages = iteratePagesAsync<QuestionRecord>((after, limit) =>
    listOpenQuestions(file, run.number, after ?? { seq: -1, n: -1 }, limit),
  );
  const cells = (question: QuestionRecord) => {
    const { line, sheet, key, evidence, other, row, otherSide } = question;
    const place =
      other.kind === 'row'
        ? ['row', other.sheet ?? '', formatRowLine(other.line), other.key ?? '', '']
        : ['contact', '', '', '', String(other.id)];
    const sides = [row, otherSide].flatMap(
      ({ first, family, email, phone, further = [], birthDate = null }) => [
        first,
        family,
        email,
        phone,
        further.join(', '),
        birthDate,
      ],
    );
    return [
      answers.get(formatQuestionId(question)) ?? '',
      sheet ?? '',
      formatRowLine(line),
      key ?? '',
      evidence,
      ...place,
      ...sides.map((value) => value ?? ''),
    ];
  };
  return formatCsvList(columnsByList.samePerson, pages, cells, chooseCsvListStyle(run));
}

/** Returns a text that identifies a question within its run. */
export function formatQuestionId({ seq, n }: Pick<QuestionRecord, 'seq' | 'n'>): string {
  return `${seq}-${n}`;
}

/** Returns the number of lines in merge-proposals.csv. */
export function countMergeProposals(file: JournalDatabase, run: number): number {
  return selectCount(file)`SELECT count(*) AS n FROM proposal WHERE run = ${run}`;
}

const whys: Readonly<Record<UnprocessedRow['kind'], string>> = {
  taken: 'taken',
  changed: 'finished before, and changed since: a retry leaves it alone, an import takes it',
  missing: 'open, and no longer in the file',
  removed: 'open, and removed from the file: on purpose, or it was empty',
  gone: 'finished before, and no longer in the file as it was',
};

/** Yields the text of not-taken.csv in chunks: the rows of earlier runs that a retry did not find, or left alone. */
export function formatNotTakenCsv(file: JournalDatabase, run: RunRecord): AsyncIterable<string> {
  const pages = iteratePagesAsync<UnprocessedRow>((after, limit) =>
    listUnprocessedRows(file, run.number, after?.number ?? -1, limit),
  );
  return formatCsvList(
    columnsByList.notTaken,
    pages,
    ({ kind, run: before, sheet, wasLine, line, key, outcome, problems }) => [
      whys[kind],
      before,
      sheet ?? '',
      formatRowLine(wasLine),
      line === null ? '' : formatRowLine(line),
      key ?? '',
      outcome,
      problems.map(({ code }) => code).join(' | '),
      problems.map(({ reason }) => reason).join(' | '),
    ],
    chooseCsvListStyle(run),
  );
}

/** Returns true if the run has read its whole input, so that a key it did not find is not in the input. */
export function hasReadWholeInput(run: RunRecord, { notReached }: RowCounts): boolean {
  const isImport = run.kind === 'import' && run.selection.kind === 'all';
  return run.state === 'finished' && isImport && notReached === 0;
}

/** Yields the text of gone.csv in chunks: the keys of earlier runs to whose contacts no row of this run led. */
export function formatMissingKeysCsv(file: JournalDatabase, run: RunRecord): AsyncIterable<string> {
  const pages = iteratePagesAsync<KnownKeyRecord>((after, limit) =>
    listMissingKeys(file, toKnownKeyScope(run), run.number, after?.key ?? '', limit),
  );
  const cells = ({ key, contact, identifiers, line }: KnownKeyRecord) => {
    const ofSource = /^key:(.*)$/s.exec(key)?.[1];
    const byContact = contact === null ? undefined : `id:${contact}`;
    return [
      ofSource ?? '',
      contact === null ? '' : String(contact),
      // A row without a key is remembered by its identity, which is then all that can be shown.
      ofSource === undefined ? key : (identifiers[0] ?? byContact ?? ''),
      line === 0 ? '' : formatRowLine(line),
    ];
  };
  return formatCsvList(columnsByList.gone, pages, cells, chooseCsvListStyle(run));
}

/** Returns the number of lines in gone.csv. */
export function countMissingKeys(file: JournalDatabase, run: RunRecord): number {
  return selectCount(file)`SELECT count(*) AS n FROM known
    WHERE workspace = ${run.workspace} AND mapping = ${run.memory} AND run < ${run.number}`;
}
