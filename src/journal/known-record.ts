import * as z from 'zod';
import {
  flagColumn,
  jsonColumn,
  nullableColumn,
  numberColumn,
  type TypedRow,
  textColumn,
} from '../storage/columns.ts';
import { hasRow, runSql, select, selectCount, selectOne } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';
import { createJsonPacker } from './packed-json.ts';
import type { RunRecord } from './run.ts';
import { BloomFilter } from './seen-filter.ts';

/** The record of a source key: its contact, and the values last applied. */
export interface KnownKeyRecord {
  /** `key:…`, or an identifier text (`email:…`, `phone:…`) where the mapping has no key. */
  readonly key: string;
  /** null until the contact's id is known. */
  readonly contact: number | null;
  /** The identifier texts last sent for the contact, by which it is found while its id is not known. */
  readonly identifiers: readonly string[];
  /** True where this work dir created the contact. */
  readonly created: boolean;
  /** The hash of the source value last applied, by field. */
  readonly applied: Readonly<Record<string, string>>;
  /** The line of the key in the file where it was last read. */
  readonly line: number;
}

const applied = jsonColumn(z.record(z.string(), z.string()));

const known = {
  key: textColumn,
  contact: nullableColumn(numberColumn),
  identifiers: jsonColumn(z.array(z.string())),
  created: flagColumn,
  applied,
  line: numberColumn,
};

/** A source key of a contact. */
export interface KnownKey {
  readonly key: string;
  /** True for a key of this mapping; a key of another mapping may have the same text. */
  readonly isOurs: boolean;
}

const mappingKey = { mapping: textColumn, key: textColumn };

/** The scope of stored source keys: a workspace, and a system or mapping. */
export interface KnownKeyScope {
  readonly workspace: number;
  /** The name of the source's system, or of the mapping. */
  readonly mapping: string;
}

/** Returns the scope in which a run stores its source keys. */
export function toKnownKeyScope({
  workspace,
  memory,
}: Pick<RunRecord, 'workspace' | 'memory'>): KnownKeyScope {
  return { workspace, mapping: memory };
}

/** Returns true if any source key or identifier is stored in the scope. */
export function hasKnownKeys(file: JournalDatabase, { workspace, mapping }: KnownKeyScope): boolean {
  return hasRow(file)`SELECT 1 FROM known WHERE workspace = ${workspace} AND mapping = ${mapping} LIMIT 1`;
}

/**
 * Returns the number of source keys stored in the scope, without the identifiers of rows that have no key.
 */
export function countKnownKeys(file: JournalDatabase, { workspace, mapping }: KnownKeyScope): number {
  return selectCount(file)`SELECT count(*) AS n FROM known
    WHERE workspace = ${workspace} AND mapping = ${mapping} AND key >= 'key:' AND key < 'key;'`;
}

/** Returns true if the run has read this key in its input or written its record. */
export function hasRunSeenKey(
  file: JournalDatabase,
  { workspace, mapping }: KnownKeyScope,
  key: string,
  run: number,
): boolean {
  return hasRow(file)`SELECT 1 FROM known
    WHERE workspace = ${workspace} AND mapping = ${mapping} AND key = ${key} AND run = ${run}`;
}

/** Creates the store of the records of source keys, as a run reads and writes them. */
export function createKnownKeyStore(file: JournalDatabase, scope: KnownKeyScope, run: number) {
  const { workspace, mapping } = scope;
  // A first import looks up every key although none is stored yet: the filter saves these queries.
  const seen = new BloomFilter();
  const isEmpty = !hasKnownKeys(file, scope);
  // A key of this mapping → its record that is not written yet.
  const waiting = new Map<string, Pick<KnownKeyRecord, 'contact' | 'identifiers'>>();
  const pack = createJsonPacker(file);
  const keyOf = (found: TypedRow<typeof mappingKey>): KnownKey => ({
    key: found.key,
    isOurs: found.mapping === mapping,
  });
  const withWaiting = (
    stored: readonly KnownKey[],
    isMeant: (record: Pick<KnownKeyRecord, 'contact' | 'identifiers'>) => boolean,
  ): readonly KnownKey[] => {
    if (waiting.size === 0) return stored;
    const follows = [...waiting].flatMap(([key, record]) => (isMeant(record) ? [{ key, isOurs: true }] : []));
    return [...stored.filter(({ key, isOurs }) => !isOurs || !waiting.has(key)), ...follows];
  };
  return {
    find(key: string): KnownKeyRecord | undefined {
      if (isEmpty && !seen.mayHave(key)) return undefined;
      return selectOne(file, known)`
        SELECT key, contact, identifiers, created, applied, line FROM known_json
        WHERE workspace = ${workspace} AND mapping = ${mapping} AND key = ${key}`;
    },
    /** Returns the keys, of any mapping, that are stored for this contact. */
    keysOf: (contact: number): readonly KnownKey[] =>
      withWaiting(
        select(file, mappingKey)`
          SELECT mapping, key FROM known WHERE workspace = ${workspace} AND contact = ${contact}`.map(keyOf),
        (record) => record.contact === contact,
      ),
    /**
     * Returns the keys, of any mapping, whose records have no contact id and have this text as their only identifier.
     */
    keysOfAlone: (identifier: string): readonly KnownKey[] =>
      withWaiting(
        select(file, mappingKey)`
          WITH RECURSIVE remembered (mapping) AS (
            SELECT min(mapping) FROM known WHERE workspace = ${workspace}
            UNION ALL
            SELECT (SELECT min(mapping) FROM known WHERE workspace = ${workspace} AND mapping > remembered.mapping)
            FROM remembered WHERE mapping IS NOT NULL)
          SELECT mapping, key FROM remembered CROSS JOIN known USING (mapping)
          WHERE workspace = ${workspace} AND contact IS NULL AND instr(identifiers, ',') = 0
            AND identifiers = ${JSON.stringify([identifier])}`.map(keyOf),
        ({ contact, identifiers }) =>
          contact === null && identifiers.length === 1 && identifiers[0] === identifier,
      ),
    /**
     * Notes that records of these keys follow: `keysOf` and `keysOfAlone` return the keys although they are not
     * written yet.
     */
    expect(keys: readonly string[], record: Pick<KnownKeyRecord, 'contact' | 'identifiers'>): void {
      for (const key of keys) waiting.set(key, record);
    },
    /** Returns a function that writes the record of a key, as seen by this run. */
    remember({ key, contact, created, line, ...more }: KnownKeyRecord): () => void {
      const identifiers = JSON.stringify(more.identifiers);
      seen.add(key);
      waiting.set(key, { contact, identifiers: more.identifiers });
      return () => {
        waiting.delete(key);
        runSql(file)`
          REPLACE INTO known (workspace, mapping, key, contact, identifiers, created, applied, line, run)
          VALUES (${workspace}, ${mapping}, ${key}, ${contact}, ${identifiers}, ${created ? 1 : 0}, ${pack(more.applied)}, ${line}, ${run})`;
      };
    },
    /** Returns true if a record of this key is still to be written. */
    isToBeRemembered: (key: string): boolean => waiting.has(key),
    /** Returns a function that changes the stored hashes of the values last applied, by field; null removes one. */
    reapply:
      (key: string, fields: Readonly<Record<string, string | null>>): (() => void) =>
      () => {
        const stored = selectOne(file, { applied })`SELECT applied FROM known_json
          WHERE workspace = ${workspace} AND mapping = ${mapping} AND key = ${key}`;
        if (stored === undefined) return;
        const all: Record<string, string | null> = { ...stored.applied, ...fields };
        const hashes = Object.fromEntries(Object.entries(all).filter(([, hash]) => hash !== null));
        runSql(file)`UPDATE known SET applied = ${pack(hashes)}
          WHERE workspace = ${workspace} AND mapping = ${mapping} AND key = ${key}`;
      },
    /** Returns a function that records that this run has read the key, and at which line. */
    saw: (key: string, line: number) => () => {
      runSql(file)`UPDATE known SET run = ${run}, line = ${line}
        WHERE workspace = ${workspace} AND mapping = ${mapping} AND key = ${key}`;
    },
  };
}

/**
 * Returns the records of keys after `after` that earlier runs stored and this run did not see (`markReachedKeys`), in
 * order, at most `limit`. `line` is 0 where the key was last read in a corrected rejects.csv.
 */
export function listMissingKeys(
  file: JournalDatabase,
  { workspace, mapping }: KnownKeyScope,
  run: number,
  after: string,
  limit: number,
): readonly KnownKeyRecord[] {
  return select(file, known)`
    SELECT key, contact, identifiers, created, applied,
      iif((SELECT selection ->> '$.from' FROM run AS last WHERE last.number = known_json.run) IS NULL, line, 0) AS line
    FROM known_json
    WHERE workspace = ${workspace} AND mapping = ${mapping} AND key > ${after} AND run < ${run}
    ORDER BY key LIMIT ${limit}`;
}
