import type { JournalFile } from './open.ts';

/** What the journal remembers of a source key: whom it became, and what of it was last applied (design: delta runs). */
export interface Known {
  /** `key:…`, or the identity where the mapping has no key. */
  readonly key: string;
  /** null until the contact's id was met. */
  readonly contact: number | null;
  /** Identifier texts that the contact was last sent with; they find it while its id is not known. */
  readonly identifiers: readonly string[];
  /** Whether this work dir created the contact. */
  readonly created: boolean;
  /** Field → hash of the source value last applied. */
  readonly applied: Readonly<Record<string, string>>;
  /** Where the key stood in the input. */
  readonly line: number;
}

interface StoredKnown {
  key: string;
  contact: number | null;
  identifiers: string;
  created: number;
  applied: string;
  line: number;
}

/** Which memory: the work dir remembers per workspace and mapping. */
export interface MemoryScope {
  readonly workspace: number;
  /** The mapping's name. */
  readonly mapping: string;
}

export interface KnownMemory {
  find(key: string): Known | undefined;
  /** Keys of this mapping that became this contact. */
  keysOf(contact: number): readonly string[];
  /** The write that remembers a key, as seen by this run. */
  remember(known: Known): () => void;
  /** The write that notes where a key stands in this run's input. */
  saw(key: string, line: number): () => void;
}

const columns = 'key, contact, identifiers, created, applied, line';

export function knownMemory(
  file: JournalFile,
  { workspace, mapping }: MemoryScope,
  run: number,
): KnownMemory {
  const select = file.prepare<[number, string, string], StoredKnown>(
    `SELECT ${columns} FROM known WHERE workspace = ? AND mapping = ? AND key = ?`,
  );
  const byContact = file.prepare<[number, number, string], { key: string }>(
    'SELECT key FROM known WHERE workspace = ? AND contact = ? AND mapping = ?',
  );
  const insert = file.prepare(
    'INSERT OR REPLACE INTO known (workspace, mapping, key, contact, identifiers, created, applied, line, run) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const see = file.prepare(
    'UPDATE known SET run = ?, line = ? WHERE workspace = ? AND mapping = ? AND key = ?',
  );
  return {
    find(key) {
      const stored = select.get(workspace, mapping, key);
      return stored && read(stored);
    },
    keysOf: (contact) => byContact.all(workspace, contact, mapping).map(({ key }) => key),
    remember: ({ key, contact, identifiers, created, applied, line }) => {
      return () =>
        void insert.run(
          workspace,
          mapping,
          key,
          contact,
          JSON.stringify(identifiers),
          created ? 1 : 0,
          JSON.stringify(applied),
          line,
          run,
        );
    },
    saw: (key, line) => () => void see.run(run, line, workspace, mapping, key),
  };
}

function read({ identifiers, created, applied, ...rest }: StoredKnown): Known {
  return {
    ...rest,
    identifiers: JSON.parse(identifiers),
    created: created === 1,
    applied: JSON.parse(applied),
  };
}

/** Keys after `after` that earlier runs knew and this run's input has no more, in order, at most `limit`. */
export function goneAfter(
  file: JournalFile,
  { workspace, mapping }: MemoryScope,
  run: number,
  after: string,
  limit: number,
): readonly Known[] {
  return file
    .prepare<[number, string, string, number, number], StoredKnown>(
      `SELECT ${columns} FROM known WHERE workspace = ? AND mapping = ? AND key > ? AND run < ? ORDER BY key LIMIT ?`,
    )
    .all(workspace, mapping, after, run, limit)
    .map(read);
}
