import type { JournalFile } from './open.ts';

/** One line of contact-tags.csv. */
export interface TaggedRecord {
  readonly contact: number;
  readonly email: string | null;
  readonly phone: string | null;
  readonly tags: readonly string[];
}

type StoredTagged = Omit<TaggedRecord, 'tags'> & { readonly tags: string };

/** Returns the write that records a contact's tags; those that another person of the input brought stay. */
export function taggedWriter(file: JournalFile, run: number): (tagged: TaggedRecord) => void {
  const select = file.prepare<[number, number], { tags: string }>(
    'SELECT tags FROM tagged WHERE run = ? AND contact = ?',
  );
  const insert = file.prepare(
    'INSERT OR REPLACE INTO tagged (run, contact, email, phone, tags) VALUES (?, ?, ?, ?, ?)',
  );
  return ({ contact, email, phone, tags }) => {
    const before = select.get(run, contact);
    const all: readonly string[] = before === undefined ? tags : [...JSON.parse(before.tags), ...tags];
    const unique = all.filter((tag, n) => all.findIndex((each) => sameTag(each, tag)) === n);
    insert.run(run, contact, email, phone, JSON.stringify(unique));
  };
}

/** Tagged contacts after contact `after`, by id, at most `limit`. */
export function taggedAfter(
  file: JournalFile,
  run: number,
  after: number,
  limit: number,
): readonly TaggedRecord[] {
  return file
    .prepare<[number, number, number], StoredTagged>(
      'SELECT contact, email, phone, tags FROM tagged WHERE run = ? AND contact > ? ORDER BY contact LIMIT ?',
    )
    .all(run, after, limit)
    .map((stored) => ({ ...stored, tags: JSON.parse(stored.tags) }));
}

function sameTag(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
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
