import { createHmac, randomBytes } from 'node:crypto';
import { numberColumn, textColumn } from '../storage/columns.ts';
import { hasRow, insertRow, runSql, select, selectOne } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';
import type { PersonQuery } from './person/asked.ts';
import type { RunRecord } from './run.ts';

/** Returns the keyed hash (HMAC-SHA-256) of a text, such as an identifier or a source key. */
export type Pseudonymizer = (text: string) => string;

/**
 * Returns the text to hash. For a source key (`key:…`) it is the mapping's name and the key; for an identifier text,
 * that text in lower case.
 */
export function toHashableKey(mapping: string, key: string): string {
  return key.startsWith('key:') ? `${mapping}\n${key}` : key.toLowerCase();
}

/** Returns the hash function of this work dir, with its stored secret; undefined where no person was ever forgotten. */
export function findPseudonymizer(file: JournalDatabase): Pseudonymizer | undefined {
  const salt = selectOne(file, { value: textColumn })`SELECT value FROM salt`?.value;
  return salt === undefined ? undefined : hashWith(salt);
}

/** Returns the hash function of this work dir, creating its secret where there is none. */
export function ensurePseudonymizer(file: JournalDatabase): Pseudonymizer {
  const known = findPseudonymizer(file);
  if (known !== undefined) return known;
  const value = randomBytes(32).toString('base64url');
  insertRow(file, 'salt', { value });
  return hashWith(value);
}

function hashWith(salt: string): Pseudonymizer {
  return (text) => createHmac('sha256', salt).update(text).digest('base64url');
}

/** A look-up of the forgotten people of a work dir. */
export interface ForgottenPeopleLookup {
  /**
   * Returns true if one of these texts (a source key as `key:…`, or an identifier text) belongs to a forgotten person.
   */
  has(texts: readonly string[]): boolean;
}

/** Returns the names of mappings or systems under which the forgotten keys of a run's input may be stored. */
export function listKeyNamespaces({
  memory,
  system,
}: Pick<RunRecord, 'memory' | 'system'>): readonly string[] {
  const isKept = system && !system.isApart;
  return isKept ? [...new Set([memory, system.name, system.mapping])] : [memory];
}

/** Returns a look-up of forgotten people by identifiers, and by keys stored under one of these names. */
export function createForgottenPeopleLookup(
  file: JournalDatabase,
  names: readonly string[],
): ForgottenPeopleLookup {
  const hash = findPseudonymizer(file);
  if (hash === undefined) return { has: () => false };
  return {
    has: (texts) =>
      texts.some((text) => names.some((name) => isForgotten(file, hash(toHashableKey(name, text))))),
  };
}

/** Returns true if any person was forgotten. */
export function hasForgottenPeople(file: JournalDatabase): boolean {
  return hasRow(file)`SELECT 1 FROM forgotten LIMIT 1`;
}

function isForgotten(file: JournalDatabase, hash: string): boolean {
  return hasRow(file)`SELECT 1 FROM forgotten WHERE hash = ${hash}`;
}

/** Stores the hash of a key, an identifier or a contact of a forgotten person. */
export function storeForgottenHash(file: JournalDatabase, hash: string, now: number): void {
  runSql(file)`INSERT OR IGNORE INTO forgotten (hash, at) VALUES (${hash}, ${now})`;
}

/** Returns the text that is hashed for a contact of a workspace. */
export function toHashableContact(workspace: number, contact: number | string): string {
  return `id:${contact} of ${workspace}`;
}

/** Returns true if a forgotten person has this identifier, key or contact id. */
export function isForgottenPerson(file: JournalDatabase, { kind, value }: PersonQuery): boolean {
  const hash = findPseudonymizer(file);
  if (hash === undefined) return false;
  const texts =
    kind === 'key'
      ? select(file, { name: textColumn })`SELECT DISTINCT mapping_name AS name FROM run`.map(({ name }) =>
          toHashableKey(name, `key:${value}`),
        )
      : kind === 'id'
        ? select(file, { number: numberColumn })`SELECT number FROM workspace`.map(({ number }) =>
            toHashableContact(number, value),
          )
        : [`${kind}:${value}`];
  return texts.some((text) => isForgotten(file, hash(text)));
}
