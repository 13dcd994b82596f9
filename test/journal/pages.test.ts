import { expect, it, vi } from 'vitest';
import {
  type JournalDatabase,
  listEarlierRows,
  listIrreversibleSteps,
  listMissingKeys,
  listOpenQuestions,
  listProposals,
  listRetryMatches,
  listRowsWithProblemCode,
  listRowsWithProblemsAndContact,
  listTaggedContacts,
  listUncertainSteps,
  listUnprocessedRows,
  listUnresolvedCreatedRows,
  listWeakPhones,
  listWrittenSteps,
} from '../../src/journal/index.ts';
import { runJournal } from './work-dir.ts';

const run = { number: 1, workspace: 1, memory: 'acme-contacts' };
const step = { seq: 7, name: 'update', item: '' };

/** Each list that is read page by page, and the bound by which its next page is found. */
const lists: readonly (readonly [name: string, bound: string, list: (file: JournalDatabase) => unknown])[] = [
  ['earlier rows', 'seq>?', (file) => listEarlierRows(file, 1, 7, 9)],
  ['rows with a problem', 'seq>?', (file) => listRowsWithProblemCode(file, 1, 'email.invalid', 7, 9)],
  ['rows of an undo', 'seq>?', (file) => listRowsWithProblemsAndContact(file, 1, 7, 9)],
  ['created rows without an id', 'seq>?', (file) => listUnresolvedCreatedRows(file, run, 7, 9)],
  ['written steps', '(seq,name,item)>(?,?,?)', (file) => listWrittenSteps(file, run, step, 9)],
  ['steps that last', '(seq,name,item)>(?,?,?)', (file) => listIrreversibleSteps(file, run, step, 9)],
  ['uncertain steps', '(seq,name,item)>(?,?,?)', (file) => listUncertainSteps(file, 1, step, 9)],
  ['proposals', '(seq,pair)>(?,?)', (file) => listProposals(file, 1, { seq: 7, pair: 0 }, 9)],
  ['questions', '(seq,n)>(?,?)', (file) => listOpenQuestions(file, 1, { seq: 7, n: 0 }, 9)],
  ['tagged contacts', 'contact>?', (file) => listTaggedContacts(file, 1, 7, 9)],
  ['weak phones', 'phone>?', (file) => listWeakPhones(file, 1, '+60', 9)],
  ['matches of a retry', 'number>?', (file) => listRetryMatches(file, 1, 7, 9)],
  ['rows that a retry left', 'number>?', (file) => listUnprocessedRows(file, 1, 7, 9)],
  ['missing keys', 'key>?', (file) => listMissingKeys(file, { workspace: 1, mapping: 'a' }, 2, 'key:7', 9)],
];

it.each(lists)('a page of the %s begins where the last one ended, however far that is', (_, bound, list) => {
  const { file } = runJournal();
  const prepare = vi.spyOn(file, 'prepare');
  list(file);
  const [sql = ''] = prepare.mock.calls.map(([text]) => text).filter((text) => /^\s*SELECT/.test(text));
  prepare.mockRestore();
  const values = Array.from(sql.matchAll(/\?/g), () => null);
  const plan = file.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
  const steps = plan.map(({ detail }) => detail);
  expect(steps[0]).toContain(bound);
  expect(steps.filter((text) => text.includes('TEMP B-TREE'))).toEqual([]);
});
