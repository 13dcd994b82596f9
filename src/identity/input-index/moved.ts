import type { SqliteFile } from '../../storage/sqlite.ts';

/** Which identities people of the input had when they were last imported, and have no more. */
export interface MovedIdentities {
  /** Notes that the row's person had an identity (a hash) that its row does not name any more. */
  addMoved(identity: string, seq: number): void;
  /** The last row whose person had this identity before. */
  movedFrom(identity: string): number | undefined;
}

export function movedIdentities(file: SqliteFile): MovedIdentities {
  const insert = file.prepare<[string, number]>('INSERT OR REPLACE INTO moved (identity, seq) VALUES (?, ?)');
  const select = file.prepare<[string], { seq: number }>('SELECT seq FROM moved WHERE identity = ?');
  return {
    addMoved: (identity, seq) => void insert.run(identity, seq),
    movedFrom: (identity) => select.get(identity)?.seq,
  };
}
