import * as z from 'zod';
import { jsonColumn } from '../../storage/columns.ts';
import { selectOne } from '../../storage/sql.ts';
import { type SqliteConnection, shrinkScratchCache, withStorageErrors } from '../../storage/sqlite.ts';
import { closeInputIndexDatabase, markIndexComplete, openInputIndexDatabase } from './file.ts';
import { createGroupReader, createWaitingRowStore, type RowGroup } from './groups.ts';
import { type InputCounts, linkRows, type RowLinkRules } from './link-rows.ts';
import { createQuestionReader } from './questions.ts';
import type { DuplicatesPolicy } from './reject-people.ts';
import { createRowWriter, type InputRow } from './rows.ts';
import {
  createCrowdedValueReader,
  createFieldAndRejectedRowStore,
  createFormerIdentityStore,
  createRowSelectionStore,
  createTagNameStore,
  createWeakPhoneStore,
} from './sets.ts';

export { copyIndexFile as copyInputIndex, removeIndexFile as removeInputIndex } from './file.ts';
export type { RowLinkRules } from './link-rows.ts';
export {
  type IdentifierHolders,
  identifierHoldersSchema,
  type PersonSharingIdentifier,
  personSharingIdentifierSchema,
  type RowQuestion,
  rowPlaceSchema,
} from './questions.ts';
export type { DuplicatesPolicy, InputRow, RowGroup };

/**
 * The index of the input's rows by person, built by sorting on disk, so that memory does not grow with the input. Rows
 * are added, `finish` links them, and then the index can be read; a complete index takes no more rows.
 */
export type InputIndex = ReturnType<typeof indexIn>;

/**
 * Opens the index at `path`: complete if a finished one for the same fingerprint is there, otherwise new and empty,
 * replacing any file there. The fingerprint must cover everything the index depends on: the input, the mapping, and the
 * rules by which rows become people.
 */
export function openInputIndex(
  path: string,
  fingerprint: string,
): { readonly index: InputIndex; readonly complete: boolean } {
  const { file, complete } = openInputIndexDatabase(path, fingerprint);
  return { index: indexIn(file, complete), complete };
}

function indexIn(file: SqliteConnection, complete: boolean) {
  /** Turns a storage error into an error that names the file. */
  const guard = <A extends readonly unknown[], R>(method: (...values: A) => R): ((...values: A) => R) => {
    return (...values) => withStorageErrors(file.name, () => method(...values));
  };
  let takesRows = !complete;
  const whileOpen = <A extends readonly unknown[]>(method: (...values: A) => void) =>
    guard((...values: A): void => {
      if (!takesRows) throw new Error('The index of the input is complete and takes no more rows.');
      method(...values);
    });
  const tags = createTagNameStore(file);
  const weak = createWeakPhoneStore(file);
  const waiting = createWaitingRowStore(file);
  const selected = createRowSelectionStore(file);
  const moved = createFormerIdentityStore(file);
  const needs = createFieldAndRejectedRowStore(file);
  const questions = createQuestionReader(file);
  // All rows are written in one transaction, because one for each row would be slow.
  if (takesRows) file.exec('BEGIN');
  return {
    /** Adds a row whose mapping succeeded. */
    add: whileOpen(createRowWriter(file)),
    addTags: whileOpen(tags.addTags),
    addFields: whileOpen(needs.addFields),
    addRejected: whileOpen(needs.addRejected),
    addMoved: whileOpen(moved.addMoved),
    addWeakPhone: whileOpen(weak.addWeakPhone),
    /** Links the rows that are one person. */
    finish: whileOpen((rules: RowLinkRules) => {
      takesRows = false;
      const counts = linkRows(file, rules);
      file.exec('COMMIT');
      markIndexComplete(file, counts);
      shrinkScratchCache(file, ['main', 'scratch']);
    }),
    /** Returns, by row, the groups of two or more that the rows `from` (included) to `to` (excluded) belong to. */
    groupsBetween: guard(createGroupReader(file)),
    /**
     * Returns, by row, the questions about the rows `from` (included) to `to` (excluded). The rows of a person are not
     * written before its question is answered.
     */
    questionsBetween: guard(questions.questionsBetween),
    /** Returns, for each row whose key another person also has, the place of a row of that other person. */
    reusedBetween: guard(questions.reusedBetween),
    /**
     * Returns, by row, the places of the rows that hold its e-mail or phone, if these belong to another person of the
     * input.
     */
    sharedBetween: guard(questions.sharedBetween),
    /** Returns, by row, the names of other people of the input with the same e-mail or phone. */
    rivalsBetween: guard(questions.rivalsBetween),
    fieldsBefore: guard(needs.fieldsBefore),
    rejectedBetween: guard(needs.rejectedBetween),
    movedFrom: guard(moved.movedFrom),
    isWeakPhone: guard(weak.isWeakPhone),
    isCrowded: guard(createCrowdedValueReader(file)),
    weakPhones: weak.weakPhones,
    tagNames: tags.tagNames,
    tagSpelling: guard(tags.tagSpelling),
    keep: guard(waiting.keep),
    kept: guard(waiting.kept),
    drop: guard(waiting.drop),
    select: guard(selected.select),
    selectedBetween: guard(selected.selectedBetween),
    selectedCount: guard(selected.selectedCount),
    counts: (): InputCounts =>
      selectOne(file, { counts })`SELECT counts FROM built`?.counts ?? failIncomplete(),
    /** Closes the file and drops waiting and selected rows; the index stays for the next run. */
    close: (): void => closeInputIndexDatabase(file),
  };
}

const counts = jsonColumn(
  z.object({
    rows: z.number(),
    identifiers: z.number(),
    groups: z.number(),
    folded: z.number(),
    weakPhones: z.number(),
    asked: z.number(),
    sharedEmails: z.number(),
    sharedPhones: z.number(),
    reused: z.number(),
  }),
);

function failIncomplete(): never {
  throw new Error('The index of the input is not complete and has no counts.');
}
