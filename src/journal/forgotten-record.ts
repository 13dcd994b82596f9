import { createHmac, randomBytes } from 'node:crypto';
import { number, text } from '../storage/columns.ts';
import { change, exists, insert, select, selectOne } from '../storage/sql.ts';
import type { JournalFile } from './open.ts';
import type { AskedPerson } from './person/asked.ts';
import type { RunRecord } from './run.ts';

/** Hashes an identifier or a key of a forgotten person. */
export type Pseudonym = (text: string) => string;

/** Returns the text by which a source key is hashed: the same key of another mapping is another person's. */
export function keyText(mapping: string, key: string): string {
  return key.startsWith('key:') ? `${mapping}\n${key}` : key.toLowerCase();
}

/** Returns the keyed hash of this work dir; undefined where no person was ever forgotten. */
export function pseudonyms(file: JournalFile): Pseudonym | undefined {
  const salt = selectOne(file, { value: text })`SELECT value FROM salt`?.value;
  return salt === undefined ? undefined : hashWith(salt);
}

/** Returns the keyed hash of this work dir, and makes its secret where there is none. */
export function makePseudonyms(file: JournalFile): Pseudonym {
  const known = pseudonyms(file);
  if (known !== undefined) return known;
  const value = randomBytes(32).toString('base64url');
  insert(file, 'salt', { value });
  return hashWith(value);
}

function hashWith(salt: string): Pseudonym {
  return (text) => createHmac('sha256', salt).update(text).digest('base64url');
}

/** The forgotten people of a work dir, in the form that an import needs. */
export interface ForgottenPeople {
  /**
   * Returns true if one of these (a memory key of the mapping, or an identifier text) belongs to a forgotten person.
   */
  has(texts: readonly string[]): boolean;
}

/** Returns the names under which the forgotten keys of a run's input may be stored. */
export function forgottenNames({ memory, system }: Pick<RunRecord, 'memory' | 'system'>): readonly string[] {
  const isKept = system && !system.isApart;
  return isKept ? [...new Set([memory, system.name, system.mapping])] : [memory];
}

/** Returns the forgotten people, for keys that are stored under one of these names. */
export function forgottenPeople(file: JournalFile, names: readonly string[]): ForgottenPeople {
  const hash = pseudonyms(file);
  if (hash === undefined) return { has: () => false };
  return {
    has: (texts) => texts.some((text) => names.some((name) => isForgotten(file, hash(keyText(name, text))))),
  };
}

/** Returns true if any person was forgotten. */
export function hasForgottenPeople(file: JournalFile): boolean {
  return exists(file)`SELECT 1 FROM forgotten LIMIT 1`;
}

function isForgotten(file: JournalFile, hash: string): boolean {
  return exists(file)`SELECT 1 FROM forgotten WHERE hash = ${hash}`;
}

/** Stores the hash of a key or an identifier of a forgotten person. */
export function rememberForgotten(file: JournalFile, hash: string, now: number): void {
  change(file)`INSERT OR IGNORE INTO forgotten (hash, at) VALUES (${hash}, ${now})`;
}

/** Returns the text by which a contact of a workspace is hashed. */
export function contactText(workspace: number, contact: number | string): string {
  return `id:${contact} of ${workspace}`;
}

/** Returns true if the person was forgotten before. */
export function isForgottenPerson(file: JournalFile, { kind, value }: AskedPerson): boolean {
  const hash = pseudonyms(file);
  if (hash === undefined) return false;
  const texts =
    kind === 'key'
      ? select(file, { name: text })`SELECT DISTINCT mapping_name AS name FROM run`.map(({ name }) =>
          keyText(name, `key:${value}`),
        )
      : kind === 'id'
        ? select(file, { number })`SELECT number FROM workspace`.map(({ number }) =>
            contactText(number, value),
          )
        : [`${kind}:${value}`];
  return texts.some((text) => isForgotten(file, hash(text)));
}
