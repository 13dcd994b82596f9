import { FatalError } from '../../model/fatal-error.ts';
import { comparablePhoneDigits, findOtherPhoneForm } from '../../model/phone-forms.ts';
import { nullableColumn, numberColumn, type TypedRow, textColumn } from '../../storage/columns.ts';
import { prepareQuery, runSql, select } from '../../storage/sql.ts';
import type { JournalDatabase } from '../open.ts';
import { createUnpackedViews } from '../packed-json.ts';
import { cellsColumn } from '../row-record.ts';
import { stepColumns } from '../step-record.ts';
import type { PersonQuery } from './asked.ts';
import { createIdentifierRedactor } from './texts.ts';

const { intent, before } = stepColumns;

/** Returns the e-mails and phones that the steps of the person's rows have sent or replaced, as identifier texts. */
function identifiersOfSteps(file: JournalDatabase): ReadonlySet<string> {
  const found = new Set<string>();
  const steps = select(file, { intent, before })`
    SELECT step.intent, step.before FROM person_row JOIN step_json AS step USING (run, seq)`;
  for (const { intent, before } of steps) {
    collect(intent, found);
    collect(before, found);
  }
  return found;
}

/** A row without an outcome, reconstructed from its steps: the journal has no other record of it yet. */
interface OpenRow {
  readonly workspace: number;
  /** E-mails and phones that were sent or replaced, as identifier texts. */
  readonly texts: ReadonlySet<string>;
  /** Contacts that requests were sent about. */
  readonly contacts: ReadonlySet<number>;
}

const openStep = {
  run: numberColumn,
  seq: numberColumn,
  workspace: numberColumn,
  intent,
  before,
  contact: nullableColumn(numberColumn),
};

/** Returns the rows without an outcome that have steps. */
function openRows(file: JournalDatabase): readonly OpenRow[] {
  const steps = select(file, openStep)`
    SELECT step.run, seq, workspace, intent, before, json_extract(intent, '$.contactId') AS contact
    FROM step_json AS step JOIN run ON run.number = step.run
    WHERE NOT EXISTS (SELECT 1 FROM row WHERE row.run = step.run AND row.seq = step.seq)`;
  const rows = new Map<string, OpenRow & { texts: Set<string>; contacts: Set<number> }>();
  for (const { run, seq, workspace, intent, before, contact } of steps) {
    const name = `${run}/${seq}`;
    const row = rows.get(name) ?? { workspace, texts: new Set(), contacts: new Set() };
    rows.set(name, row);
    collect(intent, row.texts);
    collect(before, row.texts);
    if (contact !== null) row.contacts.add(contact);
  }
  return [...rows.values()];
}

const kinds = ['email', 'phone'] as const;

/**
 * Adds the identifiers in the JSON of a step, at any depth, to `found`: `email: …`, `{ kind: email, value }`,
 * and `{ kind: contact, name: email, from, to }`.
 */
function collect(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const entries = new Map(Object.entries(value));
  const add = (kind: string, text: unknown) => {
    if (typeof text === 'string' && text !== '') found.add(`${kind}:${text.trim().toLowerCase()}`);
  };
  for (const kind of kinds) {
    add(kind, entries.get(kind));
    if (entries.get('kind') === kind) add(kind, entries.get('value'));
    if (entries.get('kind') === 'contact' && entries.get('name') === kind) {
      add(kind, entries.get('from'));
      add(kind, entries.get('to'));
    }
  }
  for (const inner of entries.values()) collect(inner, found);
}

const keptRow = {
  run: numberColumn,
  seq: numberColumn,
  key: nullableColumn(textColumn),
  cells: cellsColumn,
  raw: nullableColumn(textColumn),
};
type KeptRow = TypedRow<typeof keptRow>;

/**
 * If more rows of a run than this are connected with the person only by an identifier, such as that of a shared
 * mailbox, none of them counts as theirs.
 */
const mostRows = 3;

/** The rows and phones of a person that were found in the stored cells. */
interface ContentFound {
  /** Rows, such as rejected ones, whose only connection with the person is an e-mail or a phone in a cell. */
  readonly rows: readonly Pick<KeptRow, 'run' | 'seq'>[];
  /** Phones of the person (identifier texts) that are also in a row with another person's e-mail. */
  readonly shared: ReadonlySet<string>;
}

/**
 * Searches the stored cells for rows and shared phones of the person. Only rows that need manual action have stored
 * cells.
 */
function contentRows(file: JournalDatabase): ContentFound {
  const own = select(file, { text: textColumn })`SELECT text FROM person_identifier`.map(({ text }) => text);
  const emails = new Set(own.flatMap((text) => /^email:(.*)$/s.exec(text)?.[1] ?? []));
  const phones = new Map(
    own.flatMap((text) => (text.startsWith('phone:') ? [[comparablePhoneDigits(text), text]] : [])),
  );
  const byRun = new Map<number, KeptRow[]>();
  const shared = new Set<string>();
  const kept = prepareQuery(
    file,
    keptRow,
    `SELECT run, seq, key, cells, raw FROM row WHERE (cells IS NOT NULL OR raw IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM person_row WHERE person_row.run = row.run AND person_row.seq = row.seq)`,
  ).iterate();
  for (const row of kept) {
    const { isTheirs, phone } = look(row, emails, phones);
    if (isTheirs) byRun.set(row.run, [...(byRun.get(row.run) ?? []), row]);
    else if (phone !== undefined) shared.add(phone);
  }
  const rows = [...byRun.values()].filter(
    (each) => new Set(each.map(({ key, seq }) => key ?? seq)).size <= mostRows,
  );
  return { rows: rows.flat(), shared };
}

/** Returns whether a row is the person's (`isTheirs`), and the first of the person's phones in its cells. */
function look(
  { cells, raw }: KeptRow,
  emails: ReadonlySet<string>,
  phones: ReadonlyMap<string, string>,
): { readonly isTheirs: boolean; readonly phone: string | undefined } {
  const lower = raw?.toLowerCase() ?? '';
  const texts = (cells ?? []).map(([, cell]) => (cell ?? '').trim().normalize('NFC').toLowerCase());
  const hasEmail = texts.some((text) => emails.has(text)) || [...emails].some((each) => lower.includes(each));
  const [phone] = texts.flatMap((text) =>
    phoneShape.test(text) ? (phones.get(comparablePhoneDigits(text)) ?? []) : [],
  );
  const hasOther = texts.some((text) => emailShape.test(text));
  return { isTheirs: hasEmail || (phone !== undefined && !hasOther), phone };
}

const phoneShape = /^\+?[\d\s()./-]+$/;
const emailShape = /^\S+@\S+\.\S+$/;

/** All identifiers, keys, contacts and rows that the journal connects with one person. */
export interface PersonRecords {
  /** `email:…` and `phone:…` in lower case, of this person alone. */
  readonly identifiers: readonly string[];
  readonly keys: readonly { readonly mapping: string; readonly key: string }[];
  readonly contacts: readonly { readonly workspace: number; readonly contact: number }[];
  readonly rows: readonly PersonRunRow[];
}

/** A row of the person in a run. */
export interface PersonRunRow {
  readonly run: number;
  readonly id: string;
  readonly seq: number;
  readonly line: number;
  /** The row's sheet, where the input has several; null otherwise. */
  readonly sheet: string | null;
}

const personRow = {
  run: numberColumn,
  id: textColumn,
  seq: numberColumn,
  line: numberColumn,
  sheet: nullableColumn(textColumn),
};
const knownKey = {
  workspace: numberColumn,
  mapping: textColumn,
  key: textColumn,
  contact: nullableColumn(numberColumn),
};

// Temporary tables, kept in memory: the links between a person's records must not be written to the disk again.
const tables = [
  ['identifier', 'text TEXT PRIMARY KEY'],
  ['key', 'mapping TEXT, key TEXT, PRIMARY KEY (mapping, key)'],
  ['contact', 'workspace INTEGER, contact INTEGER, PRIMARY KEY (workspace, contact)'],
  ['row', 'run INTEGER, seq INTEGER, PRIMARY KEY (run, seq)'],
] as const;

/**
 * Returns all records of a person, found from one identifier, id or key, and leaves them in temporary tables for
 * `forgetPerson`. Throws a FatalError('usage') if the query may name several people.
 */
export function findPersonRecords(file: JournalDatabase, asked: PersonQuery): PersonRecords {
  // The change of this setting drops the temporary views.
  file.pragma('temp_store = MEMORY');
  createUnpackedViews(file);
  for (const [name, columns] of tables) {
    file.exec(`DROP TABLE IF EXISTS temp.person_${name}`);
    file.exec(`CREATE TEMP TABLE person_${name} (${columns}) STRICT, WITHOUT ROWID`);
  }
  begin(file, asked);
  const open = openRows(file);
  let size = 0;
  for (;;) {
    followKnown(file);
    followRows(file);
    followSteps(file);
    followOpenRows(file, open);
    const now = sizeOf(file);
    if (now === size) break;
    size = now;
  }
  dropShared(file);
  const { rows, shared } = contentRows(file);
  for (const { run, seq } of rows) addRow(file, run, seq);
  addProposals(file);
  addQuestions(file);
  for (const text of shared) runSql(file)`DELETE FROM person_identifier WHERE text = ${text}`;
  runSql(file)`INSERT OR IGNORE INTO person_key SELECT run.mapping_name, 'key:' || row.key
    FROM person_row JOIN row USING (run, seq) JOIN run ON run.number = row.run WHERE row.key IS NOT NULL`;
  return {
    identifiers: select(file, { text: textColumn })`SELECT text FROM person_identifier`.map(
      ({ text }) => text,
    ),
    keys: select(file, { mapping: textColumn, key: textColumn })`SELECT mapping, key FROM person_key`,
    contacts: select(file, {
      workspace: numberColumn,
      contact: numberColumn,
    })`SELECT workspace, contact FROM person_contact`,
    rows: select(file, personRow)`SELECT row.run, run.id, row.seq, row.line, row.sheet
      FROM person_row JOIN row USING (run, seq) JOIN run ON run.number = row.run`,
  };
}

function begin(file: JournalDatabase, { kind, value }: PersonQuery): void {
  switch (kind) {
    case 'email':
      addIdentifier(file, `email:${value}`);
      break;
    case 'phone':
      beginWithPhone(file, value);
      break;
    case 'key':
      runSql(
        file,
      )`INSERT OR IGNORE INTO person_key SELECT mapping, key FROM known WHERE key = ${`key:${value}`}`;
      runSql(file)`INSERT OR IGNORE INTO person_key SELECT run.mapping_name, 'key:' || row.key
        FROM row JOIN run ON run.number = row.run WHERE row.key = ${value}`;
      assertOne(value, count(file, 'DISTINCT mapping', 'person_key'), 'mappings');
      break;
    case 'id':
      runSql(file)`INSERT OR IGNORE INTO person_contact
        SELECT workspace, contact FROM known WHERE contact = ${Number(value)}`;
      runSql(file)`INSERT OR IGNORE INTO person_contact SELECT run.workspace, row.contact
        FROM row JOIN run ON run.number = row.run WHERE row.contact = ${Number(value)}`;
      assertOne(`id:${value}`, count(file, '*', 'person_contact'), 'workspaces');
      break;
  }
}

function count(file: JournalDatabase, what: string, table: string): number {
  return prepareQuery(file, { n: numberColumn }, `SELECT count(${what}) AS n FROM ${table}`).get()?.n ?? 0;
}

/** Starts the search from a phone; throws a FatalError('usage') where several people of one workspace share it. */
function beginWithPhone(file: JournalDatabase, phone: string): void {
  const identifier = `phone:${phone}`;
  const other = `phone:${findOtherPhoneForm(phone) ?? phone}`;
  for (const each of [identifier, other]) addIdentifier(file, each);
  const people = select(file, knownKey)`
    SELECT workspace, mapping, known.key, contact FROM known, json_each(known.identifiers) AS each
    WHERE each.value IN (${identifier}, ${other})`;
  const inWorkspace = new Map<number, Set<string>>();
  for (const { workspace, contact, key } of people)
    inWorkspace.set(workspace, (inWorkspace.get(workspace) ?? new Set()).add(String(contact ?? key)));
  assertOne(identifier, Math.max(0, ...[...inWorkspace.values()].map(({ size }) => size)), 'people');
  for (const { mapping, key, workspace, contact } of people) {
    runSql(file)`INSERT OR IGNORE INTO person_key VALUES (${mapping}, ${key})`;
    if (contact !== null)
      runSql(file)`INSERT OR IGNORE INTO person_contact VALUES (${workspace}, ${contact})`;
  }
}

function assertOne(named: string, n: number, of: 'mappings' | 'workspaces' | 'people'): void {
  if (n <= 1) return;
  const text =
    of === 'people'
      ? `${named} is the phone of ${n} people.`
      : `${named} is known in ${n} ${of}, so it may be ${n} people.`;
  throw new FatalError('usage', text, { next: 'Name the person by e-mail address instead.' });
}

function addIdentifier(file: JournalDatabase, text: string): void {
  runSql(file)`INSERT OR IGNORE INTO person_identifier VALUES (${text.toLowerCase()})`;
}

function addRow(file: JournalDatabase, run: number, seq: number): void {
  runSql(file)`INSERT OR IGNORE INTO person_row VALUES (${run}, ${seq})`;
}

/**
 * Adds the stored keys of the person's contacts and e-mails, and the contacts and identifiers of these keys. A record
 * whose key is a phone of the person counts only if it has no contact id.
 */
function followKnown(file: JournalDatabase): void {
  runSql(file)`INSERT OR IGNORE INTO person_key SELECT mapping, key FROM known
    WHERE (workspace, contact) IN (SELECT workspace, contact FROM person_contact)
      OR lower(key) IN (SELECT text FROM person_identifier WHERE text LIKE 'email:%' OR known.contact IS NULL)
      OR EXISTS (SELECT 1 FROM json_each(known.identifiers) AS each
        WHERE each.value LIKE 'email:%' AND lower(each.value) IN (SELECT text FROM person_identifier))`;
  runSql(file)`INSERT OR IGNORE INTO person_contact SELECT workspace, contact FROM known
    WHERE contact IS NOT NULL AND (mapping, key) IN (SELECT mapping, key FROM person_key)`;
  runSql(file)`INSERT OR IGNORE INTO person_identifier SELECT lower(each.value)
    FROM known, json_each(known.identifiers) AS each
    WHERE (known.mapping, known.key) IN (SELECT mapping, key FROM person_key) AND each.value NOT LIKE 'id:%'`;
  runSql(
    file,
  )`INSERT OR IGNORE INTO person_identifier SELECT lower(key) FROM person_key WHERE key NOT LIKE 'key:%'`;
}

/**
 * Adds the rows of the person's contacts, keys and e-mails, and the contacts, identifiers and keys of these rows. A
 * phone counts only for a row without a key. The contact of a rejected, proposed or stale row does not count, because
 * it may be another person's.
 */
function followRows(file: JournalDatabase): void {
  runSql(
    file,
  )`INSERT OR IGNORE INTO person_row SELECT row.run, row.seq FROM row JOIN run ON run.number = row.run
    WHERE (row.outcome NOT IN ('rejected', 'proposed', 'stale')
        AND (run.workspace, row.contact) IN (SELECT workspace, contact FROM person_contact))
      OR (run.mapping_name, 'key:' || row.key) IN (SELECT mapping, key FROM person_key)
      OR lower(row.identifier) IN (SELECT text FROM person_identifier WHERE text LIKE 'email:%' OR row.key IS NULL)`;
  runSql(file)`INSERT OR IGNORE INTO person_contact SELECT run.workspace, row.contact
    FROM person_row JOIN row USING (run, seq) JOIN run ON run.number = row.run
    WHERE row.contact IS NOT NULL AND row.outcome NOT IN ('rejected', 'proposed', 'stale')`;
  runSql(file)`INSERT OR IGNORE INTO person_identifier SELECT lower(row.identifier)
    FROM person_row JOIN row USING (run, seq) WHERE row.identifier LIKE 'email:%' OR row.identifier LIKE 'phone:%'`;
  runSql(file)`INSERT OR IGNORE INTO person_key SELECT run.mapping_name, 'key:' || row.key
    FROM person_row JOIN row USING (run, seq) JOIN run ON run.number = row.run WHERE row.key IS NOT NULL`;
}

/** Adds the identifiers that the steps of the person's rows sent or replaced. */
function followSteps(file: JournalDatabase): void {
  for (const text of identifiersOfSteps(file)) addIdentifier(file, text);
}

/**
 * Adds the identifiers and contacts of the unfinished rows that have one of the person's e-mails; a phone
 * alone does not identify a person.
 */
function followOpenRows(file: JournalDatabase, open: readonly OpenRow[]): void {
  const own = select(file, {
    text: textColumn,
  })`SELECT text FROM person_identifier WHERE text LIKE 'email:%'`;
  for (const { workspace, texts, contacts } of open) {
    if (!own.some(({ text }) => texts.has(text))) continue;
    for (const text of texts) addIdentifier(file, text);
    for (const contact of contacts)
      runSql(file)`INSERT OR IGNORE INTO person_contact VALUES (${workspace}, ${contact})`;
  }
}

function sizeOf(file: JournalDatabase): number {
  return tables.reduce((sum, [name]) => sum + count(file, '*', `person_${name}`), 0);
}

/**
 * Adds the rows of proposals that quote the person: nothing was applied, so no stored key leads to these
 * rows.
 */
function addProposals(file: JournalDatabase): void {
  const identifiers = select(file, { text: textColumn })`SELECT text FROM person_identifier`;
  const redact = createIdentifierRedactor(identifiers.map(({ text }) => text));
  file.function('quotes_person', (cells: unknown) => Number(redact(String(cells)) !== null));
  runSql(file)`INSERT OR IGNORE INTO person_row SELECT run, seq FROM proposal WHERE quotes_person(cells)`;
}

/**
 * Adds the rows of questions with the person's e-mail, unless too many rows of a run have it: nothing was applied, so
 * no stored key leads to these rows.
 */
function addQuestions(file: JournalDatabase): void {
  runSql(file)`INSERT OR IGNORE INTO person_row SELECT run, seq FROM (
    SELECT run, seq, count(*) OVER (PARTITION BY run) AS rows FROM question
    WHERE 'email:' || lower(json_extract(content, '$.row.email')) IN (SELECT text FROM person_identifier)
  ) WHERE rows <= ${mostRows}`;
}

/** Removes from the person's identifiers the phones that other people also have: they stay in the journal. */
function dropShared(file: JournalDatabase): void {
  runSql(file)`DELETE FROM person_identifier WHERE text IN (SELECT 'phone:' || phone FROM weak_phone)`;
  runSql(file)`DELETE FROM person_identifier WHERE text LIKE 'phone:%' AND EXISTS (
    SELECT 1 FROM known, json_each(known.identifiers) AS each
    WHERE each.value = person_identifier.text AND (known.mapping, known.key) NOT IN (SELECT mapping, key FROM person_key))`;
}
