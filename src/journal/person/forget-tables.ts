import { numberColumn, textColumn } from '../../storage/columns.ts';
import { prepareQuery, runSql, select, selectCount } from '../../storage/sql.ts';
import {
  type Pseudonymizer,
  storeForgottenHash,
  toHashableContact,
  toHashableKey,
} from '../forgotten-record.ts';
import type { JournalDatabase } from '../open.ts';
import type { PersonRecords } from './find-person.ts';
import { forgottenPlaceholder, type IdentifierRedactor } from './texts.ts';

/**
 * What `forget` does with each text column of the journal: `person` is removed or hashed with the person's rows,
 * `search` may quote the person and is searched, `nothing` is left alone.
 */
export const forgetRulesByTextColumn: Readonly<
  Record<string, Readonly<Record<string, 'person' | 'search' | 'nothing'>>>
> = {
  workspace: { place: 'nothing', users: 'nothing', fields: 'nothing' },
  run: {
    id: 'nothing',
    kind: 'nothing',
    pipeline: 'nothing',
    file: 'nothing',
    target: 'nothing',
    mapping: 'nothing',
    mapping_name: 'nothing',
    system: 'nothing',
    same_person: 'nothing',
    input: 'nothing',
    input_name: 'nothing',
    selection: 'nothing',
    state: 'nothing',
    message: 'search',
    counts: 'nothing',
    folder: 'nothing',
    writing: 'nothing',
    sheets: 'nothing',
    columns: 'search',
    fields: 'nothing',
    matched: 'nothing',
    left_behind: 'search',
    source: 'nothing',
    plan: 'nothing',
    undo: 'nothing',
    pruned: 'nothing',
    tables: 'nothing',
  },
  session: { host: 'nothing', requests: 'nothing', now: 'search', pace: 'nothing' },
  row: {
    sheet: 'nothing',
    outcome: 'nothing',
    key: 'person',
    problems: 'search',
    cells: 'search',
    raw: 'search',
    fill: 'nothing',
    hash: 'person',
    identifier: 'person',
  },
  step: {
    name: 'nothing',
    item: 'search',
    state: 'nothing',
    intent: 'search',
    before: 'search',
    memory: 'search',
  },
  created: { identifier: 'person' },
  wait: { name: 'nothing', item: 'person', kind: 'nothing' },
  holder: { lock: 'nothing', host: 'nothing', run: 'nothing' },
  known: { mapping: 'nothing', key: 'person', identifiers: 'person', applied: 'person' },
  comment: { mapping: 'nothing', key: 'person', id: 'person', parts: 'nothing', text: 'person' },
  proposal: { cells: 'search' },
  question: { content: 'search' },
  answer: { mapping: 'nothing', one: 'person', other: 'person', answer: 'nothing' },
  tagged: { email: 'person', phone: 'person', tags: 'person' },
  tag: { name: 'nothing' },
  json_template: { text: 'nothing' },
  row_count: { outcome: 'nothing', code: 'nothing' },
  attempt: { pipeline: 'nothing', kind: 'nothing' },
  counterpart: { kind: 'nothing' },
  weak_phone: { phone: 'nothing' },
  salt: { value: 'nothing' },
  forgotten: { hash: 'nothing' },
};

/** The numbers of records of one person in the journal. */
export interface PersonRecordCounts {
  /** Their rows in all runs. */
  readonly rows: number;
  /** Steps of these rows, and steps of unfinished rows that mention the person or a contact of theirs. */
  readonly steps: number;
  /** Records of their comments. */
  readonly comments: number;
  /** Stored source keys and identifiers of theirs (`known`). */
  readonly memories: number;
  /** Merge proposals about a row or a contact of theirs. */
  readonly proposals: number;
  /** Questions whether they are the same person as another row or a contact. */
  readonly questions: number;
}

const isTheirs = `(workspace, contact) IN (SELECT workspace, contact FROM person_contact)`;
const isTheirKey = `(mapping, key) IN (SELECT mapping, key FROM person_key)`;
const isTheirProposal = `EXISTS (SELECT 1 FROM run JOIN person_contact USING (workspace)
  WHERE run.number = proposal.run AND contact IN (proposal.older, proposal.newer))
  OR EXISTS (SELECT 1 FROM person_row WHERE person_row.run = proposal.run AND person_row.seq = proposal.seq)`;
/**
 * Returns the SQL condition that the key under which an answer is stored (`memoryKey`) is the person's source key or
 * identifier, alone or followed by a space and digits.
 */
const isTheirMemory = (memoryKey: string, mapping: string) => `EXISTS (
  SELECT 1 FROM (SELECT mapping, key FROM person_key UNION ALL SELECT NULL, text FROM person_identifier) AS theirs
  WHERE ifnull(theirs.mapping, ${mapping}) = ${mapping} AND (${memoryKey} = theirs.key
    OR (substr(${memoryKey}, 1, length(theirs.key) + 1) = theirs.key || ' '
      AND ltrim(substr(${memoryKey}, length(theirs.key) + 2), '0123456789') = '')))`;
const isTheirQuestion = `mentions_person(content)
  OR EXISTS (SELECT 1 FROM run JOIN person_contact USING (workspace)
    WHERE run.number = question.run AND person_contact.contact = question.contact)
  OR EXISTS (SELECT 1 FROM person_row WHERE person_row.run = question.run AND person_row.seq = question.seq)
  OR EXISTS (SELECT 1 FROM run WHERE run.number = question.run AND (
    ${isTheirMemory("json_extract(question.content, '$.memoryKey')", 'run.mapping_name')}
    OR ${isTheirMemory("json_extract(question.content, '$.other.memoryKey')", 'run.mapping_name')}))`;
const isTheirAnswer = `${isTheirMemory('answer.one', 'answer.mapping')}
  OR ${isTheirMemory('answer.other', 'answer.mapping')}
  OR (workspace, other) IN (SELECT workspace, 'id:' || contact FROM person_contact)`;
const hasNoRow = `NOT EXISTS (SELECT 1 FROM row WHERE row.run = step.run AND row.seq = step.seq)`;
const isTheirOpenStep = `${hasNoRow} AND (mentions_person(intent) OR mentions_person(before)
  OR EXISTS (SELECT 1 FROM step_json AS sent JOIN run ON run.number = sent.run JOIN person_contact USING (workspace)
    WHERE (sent.run, sent.seq, sent.name, sent.item) = (step.run, step.seq, step.name, step.item) AND contact IN (
      json_extract(sent.intent, '$.contactId'), json_extract(sent.intent, '$.contactIds[0]'),
      json_extract(sent.intent, '$.contactIds[1]'))))`;

/** Registers SQL functions that remove and find the texts of a person: `without_person` and `mentions_person`. */
export function registerPersonSqlFunctions(file: JournalDatabase, without: IdentifierRedactor): void {
  file.function('without_person', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? (without(text) ?? text) : text,
  );
  file.function('mentions_person', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' && without(text) !== null ? 1 : 0,
  );
}

/** Returns the number of records of the person that `findPersonRecords` found last on this connection. */
export function countPersonRecords(file: JournalDatabase): PersonRecordCounts {
  const count = (table: string, where: string) =>
    prepareQuery(file, { n: numberColumn }, `SELECT count(*) AS n FROM ${table} WHERE ${where}`).get()?.n ??
    0;
  return {
    rows: selectCount(file)`SELECT count(*) AS n FROM person_row`,
    steps:
      selectCount(file)`SELECT count(*) AS n FROM person_row JOIN step USING (run, seq)` +
      count('step', isTheirOpenStep),
    comments: count('comment', isTheirKey),
    memories: count('known', isTheirKey),
    proposals: count('proposal', isTheirProposal),
    questions: count('question', isTheirQuestion),
  };
}

/**
 * Removes the person that `findPersonRecords` found last from every table, and stores hashes of the keys, identifiers,
 * contacts and sent comments. Rows keep their outcome, so that counts add up. Call it within a transaction.
 */
export function forgetPerson(
  file: JournalDatabase,
  person: PersonRecords,
  hash: Pseudonymizer,
  now: number,
): void {
  for (const { mapping, key } of person.keys)
    storeForgottenHash(file, hash(toHashableKey(mapping, key)), now);
  for (const text of person.identifiers) storeForgottenHash(file, hash(text), now);
  for (const { workspace, contact } of person.contacts)
    storeForgottenHash(file, hash(toHashableContact(workspace, contact)), now);
  file.exec(`DELETE FROM proposal WHERE ${isTheirProposal}`);
  file.exec(`DELETE FROM question WHERE ${isTheirQuestion}`);
  file.exec(`DELETE FROM answer WHERE ${isTheirAnswer}`);
  file.exec(`DELETE FROM step WHERE ${isTheirOpenStep}`);
  // The whole table is emptied, because its column `item` may name the person: a wait for an answer starts over.
  file.exec('DELETE FROM wait');
  file.exec(`DELETE FROM tagged WHERE EXISTS (SELECT 1 FROM run JOIN person_contact USING (workspace)
    WHERE run.number = tagged.run AND person_contact.contact = tagged.contact)`);
  file.exec(`DELETE FROM created WHERE lower(identifier) IN (SELECT text FROM person_identifier)
    OR EXISTS (SELECT 1 FROM person_contact WHERE person_contact.workspace = created.workspace
      AND created.identifier = 'id:' || person_contact.contact)`);
  hashComments(file, hash);
  file.exec(`DELETE FROM known WHERE ${isTheirKey} OR ${isTheirs}`);
  emptySteps(file);
  emptyRows(file);
  searchColumns(file);
}

/** Replaces the keys and ids of the person's comments by hashes, so that a comment is still not sent twice. */
function hashComments(file: JournalDatabase, hash: Pseudonymizer): void {
  const comments = select(file, {
    workspace: numberColumn,
    mapping: textColumn,
    key: textColumn,
    id: textColumn,
  })`
    SELECT workspace, mapping, key, id FROM comment WHERE (mapping, key) IN (SELECT mapping, key FROM person_key)`;
  for (const { workspace, mapping, key, id } of comments) {
    const [newKey, newId] = [hash(toHashableKey(mapping, key)), hash(id)];
    runSql(file)`UPDATE OR REPLACE comment SET key = ${newKey}, id = ${newId}, text = ''
      WHERE workspace = ${workspace} AND mapping = ${mapping} AND key = ${key} AND id = ${id}`;
  }
}

function emptySteps(file: JournalDatabase): void {
  const steps = select(file, { run: numberColumn, seq: numberColumn, name: textColumn, item: textColumn })`
    SELECT run, seq, name, item FROM person_row JOIN step USING (run, seq) ORDER BY run, seq, name, item`;
  for (const [n, { run, seq, name, item }] of steps.entries()) {
    const newItem = item === '' ? '' : `${forgottenPlaceholder} ${n + 1}`;
    runSql(file)`UPDATE step SET item = ${newItem}, intent = '{}', before = NULL, memory = NULL
      WHERE run = ${run} AND seq = ${seq} AND name = ${name} AND item = ${item}`;
  }
}

/** Empties the rows of the person; of a problem only its code is kept. */
function emptyRows(file: JournalDatabase): void {
  runSql(
    file,
  )`UPDATE row SET forgotten = 1, key = NULL, contact = NULL, identifier = NULL, cells = NULL, raw = NULL,
    hash = NULL, problems = CASE WHEN problems IS NULL THEN NULL ELSE (
      SELECT json_group_array(json_object('code', json_extract(value, '$.code'), 'column', NULL, 'reason', ${forgottenPlaceholder}))
      FROM json_each(row.problems)) END
    WHERE (run, seq) IN (SELECT run, seq FROM person_row)`;
}

/** Removes the person's texts from the columns of other records that may quote them, such as error messages. */
function searchColumns(file: JournalDatabase): void {
  for (const [table, columns] of Object.entries(forgetRulesByTextColumn)) {
    for (const [column, what] of Object.entries(columns)) {
      if (what === 'search')
        file.exec(
          `UPDATE OR REPLACE ${table} SET ${column} = without_person(${column}) WHERE mentions_person(${column})`,
        );
    }
  }
}
