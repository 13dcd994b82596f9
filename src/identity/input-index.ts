import * as z from 'zod';
import { finishScratch, guarded, type SqliteFile } from '../storage/sqlite.ts';
import { closeIndexFile, markComplete, openIndexFile } from './input-index/file.ts';
import { type Group, groupReader } from './input-index/groups.ts';
import { type InputCounts, linkRows } from './input-index/link-rows.ts';
import { type InputRow, rowWriter } from './input-index/rows.ts';
import {
  type MovedIdentities,
  movedIdentities,
  type RowNeeds,
  rowNeeds,
  type Selection,
  selection,
  tagNames,
  type WeakPhones,
  weakPhones,
} from './input-index/sets.ts';
import { type WaitingRows, waitingRows } from './input-index/waiting.ts';

export { removeIndexFile as removeInputIndex } from './input-index/file.ts';
export type { Group, InputCounts, InputRow };

/**
 * Which rows of the input are one person, found by sorting on disk, so that memory does not grow with the input. Every
 * row is added, `finish` links them, and then it answers; a complete one answers at once and takes no more rows.
 */
export interface InputIndex extends WaitingRows, Selection, MovedIdentities, RowNeeds, WeakPhones {
  /** Adds a row whose mapping succeeded. */
  add(row: InputRow): void;
  /** Collects the tag names of a row, in the input's order. */
  addTags(names: readonly string[], seq: number): void;
  /** Links the rows; a phone of more than `switchboard` distinct people is weak and links nobody. */
  finish(options: { readonly switchboard: number }): void;
  /** The groups of two and more that the rows from `from` on, before `to`, belong to, by row. */
  groupsBetween(from: number, to: number): ReadonlyMap<number, Group>;
  /** The distinct tag names of the rows before `end` without regard to case, each in its first spelling, in the order of the input. */
  tagNames(end?: number): Iterable<string>;
  /** How the input first spells a tag. */
  tagSpelling(name: string): string;
  counts(): InputCounts;
  /** Closes the file; what waits and what is selected goes, the index stays for the next time. */
  close(): void;
}

/**
 * Opens the index at `path`: complete where a finished one for the same fingerprint stands there, else new and empty in
 * place of whatever stood there. The fingerprint is to stand for all that the index depends on: the input, the mapping,
 * and from how many people on a phone is a switchboard.
 */
export function openInputIndex(
  path: string,
  fingerprint: string,
): { readonly index: InputIndex; readonly complete: boolean } {
  const { file, complete } = openIndexFile(path, fingerprint);
  return { index: indexIn(file, complete), complete };
}

function indexIn(file: SqliteFile, complete: boolean): InputIndex {
  const guard = <T>(work: () => T): T => guarded(file.name, work);
  const tags = tagNames(file);
  const groups = groupReader(file);
  const weak = weakPhones(file);
  const waiting = waitingRows(file);
  const selected = selection(file);
  const moved = movedIdentities(file);
  const needs = rowNeeds(file);
  let write: ((row: InputRow) => void) | undefined;
  if (!complete) {
    write = rowWriter(file);
    // All rows in one transaction: otherwise every row would be one of its own.
    file.exec('BEGIN');
  }
  const writer = (): ((row: InputRow) => void) => {
    if (write === undefined) throw new Error('The index of the input is complete and takes no more rows.');
    return write;
  };
  return {
    add(row) {
      const add = writer();
      guard(() => add(row));
    },
    addTags(names, seq) {
      writer();
      guard(() => tags.add(names, seq));
    },
    addFields(names, seq) {
      writer();
      guard(() => needs.addFields(names, seq));
    },
    fieldsBefore: (end) => guard(() => needs.fieldsBefore(end)),
    addRejected(seq) {
      writer();
      guard(() => needs.addRejected(seq));
    },
    rejectedBetween: (from, to) => guard(() => needs.rejectedBetween(from, to)),
    finish({ switchboard }) {
      writer();
      write = undefined;
      guard(() => {
        const counts = linkRows(file, switchboard);
        file.exec('COMMIT');
        markComplete(file, counts);
        finishScratch(file, ['main', 'scratch']);
      });
    },
    groupsBetween: (from, to) => guard(() => groups(from, to)),
    isWeakPhone: (phone) => guard(() => weak.isWeakPhone(phone)),
    addWeakPhone(phone) {
      writer();
      guard(() => weak.addWeakPhone(phone));
    },
    weakPhones: () => weak.weakPhones(),
    tagNames: (end = Number.MAX_SAFE_INTEGER) => tags.before(end),
    tagSpelling: (name) => guard(() => tags.spelling(name)),
    counts: () => countsShape.parse(JSON.parse(storedCounts(file))),
    addMoved(identity, seq) {
      writer();
      guard(() => moved.addMoved(identity, seq));
    },
    movedFrom: (identity) => guard(() => moved.movedFrom(identity)),
    keep: (seq, content) => guard(() => waiting.keep(seq, content)),
    kept: (group) => guard(() => waiting.kept(group)),
    drop: (group) => guard(() => waiting.drop(group)),
    select: (seq) => guard(() => selected.select(seq)),
    selectedBetween: (from, to) => guard(() => selected.selectedBetween(from, to)),
    selectedCount: () => guard(() => selected.selectedCount()),
    close: () => closeIndexFile(file),
  };
}

const countsShape = z.object({
  rows: z.number(),
  identifiers: z.number(),
  groups: z.number(),
  folded: z.number(),
  weakPhones: z.number(),
});

function storedCounts(file: SqliteFile): string {
  return file.prepare<[], { counts: string }>('SELECT counts FROM built').get()?.counts ?? '{}';
}
