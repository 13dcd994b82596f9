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
  type TagNames,
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
export interface InputIndex extends WaitingRows, Selection, MovedIdentities, RowNeeds, WeakPhones, TagNames {
  /** Adds a row whose mapping succeeded. */
  add(row: InputRow): void;
  /** Links the rows; a phone of more than `switchboard` distinct people is weak and links nobody. */
  finish(options: { readonly switchboard: number }): void;
  /** The groups of two and more that the rows from `from` on, before `to`, belong to, by row. */
  groupsBetween(from: number, to: number): ReadonlyMap<number, Group>;
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
  const { write, link, ...parts } = guardedIn(file.name, {
    ...tagNames(file),
    ...weakPhones(file),
    ...waitingRows(file),
    ...selection(file),
    ...movedIdentities(file),
    ...rowNeeds(file),
    groupsBetween: groupReader(file),
    write: rowWriter(file),
    link(switchboard: number) {
      const counts = linkRows(file, switchboard);
      file.exec('COMMIT');
      markComplete(file, counts);
      finishScratch(file, ['main', 'scratch']);
    },
  });
  let takesRows = !complete;
  // All rows in one transaction: otherwise every row would be one of its own.
  if (takesRows) file.exec('BEGIN');
  const requireOpen = (): void => {
    if (!takesRows) throw new Error('The index of the input is complete and takes no more rows.');
  };
  return {
    ...parts,
    add(row) {
      requireOpen();
      write(row);
    },
    finish({ switchboard }) {
      requireOpen();
      takesRows = false;
      link(switchboard);
    },
    counts: () => countsShape.parse(JSON.parse(storedCounts(file))),
    close: () => closeIndexFile(file),
  };
}

/** The same methods; what storage refuses to any of them is an error that names the file. */
function guardedIn<T extends object>(file: string, methods: T): T {
  return new Proxy(methods, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...values: readonly unknown[]) =>
        guarded(file, () => Reflect.apply(method, target, [...values]));
    },
  });
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
