import type { JournalFile } from './open.ts';

/** One line of contact-tags.csv. */
export interface TaggedRecord {
  readonly seq: number;
  readonly contact: number | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly tags: readonly string[];
}

/** Returns the write that records a contact's tags. */
export function taggedWriter(file: JournalFile, run: number): (tagged: TaggedRecord) => void {
  const insert = file.prepare(
    'INSERT OR REPLACE INTO tagged (run, seq, contact, email, phone, tags) VALUES (?, ?, ?, ?, ?, ?)',
  );
  return ({ seq, contact, email, phone, tags }) =>
    void insert.run(run, seq, contact, email, phone, JSON.stringify(tags));
}

/** Tagged contacts after item `after`, in the input's order, at most `limit`. */
export function taggedAfter(
  file: JournalFile,
  run: number,
  after: number,
  limit: number,
): readonly TaggedRecord[] {
  return file
    .prepare<[number, number, number], Omit<TaggedRecord, 'tags'> & { tags: string }>(
      'SELECT seq, contact, email, phone, tags FROM tagged WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?',
    )
    .all(run, after, limit)
    .map((stored) => ({ ...stored, tags: JSON.parse(stored.tags) }));
}

/** Tags (lower case) that the workspace is known to have. */
export function isKnownTag(file: JournalFile, workspace: number, name: string): boolean {
  return (
    file
      .prepare<[number, string], { n: number }>('SELECT 1 AS n FROM tag WHERE workspace = ? AND name = ?')
      .get(workspace, name) !== undefined
  );
}

export function rememberTag(file: JournalFile, workspace: number, name: string): void {
  file.prepare('INSERT OR IGNORE INTO tag (workspace, name) VALUES (?, ?)').run(workspace, name);
}
