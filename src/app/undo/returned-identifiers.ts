import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toComparableIdentifier } from '../../identity/comparable.ts';
import { type JournalDatabase, listUndos, type RunRecord } from '../../journal/index.ts';
import type { Identifier } from '../../model/identifier.ts';
import { numberColumn } from '../../storage/columns.ts';
import { makeTemporarySpoolFolder } from '../../storage/spool.ts';
import { replaceRow, selectOne } from '../../storage/sql.ts';
import { createScratchDatabase, type SqliteConnection, withStorageErrors } from '../../storage/sqlite.ts';
import { visitWrittenEffects } from '../run/written-pages.ts';
import type { ValueReversion } from './decide.ts';

const table = `
CREATE TABLE returned (                -- an e-mail or phone that an undo put back, and its contact
  identifier TEXT PRIMARY KEY,
  contact    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/**
 * The e-mails and phones that the undos of a run put back, each with its contact, in a scratch database: a contact that
 * the run created with one of them is a second one that has it.
 */
export interface ReturnedIdentifiers {
  /** Adds a value that an undo puts back; a value that is neither an e-mail nor a phone is ignored. */
  add(contact: number, value: Pick<ValueReversion, 'kind' | 'name' | 'to'>): void;
  /** Returns the contact that the identifier was put back into. */
  ownerOf(identifier: Identifier): number | undefined;
}

/** Collects what the undos of a run have put back, except those that were themselves undone, into the scratch database. */
export async function collectReturnedIdentifiers(
  journal: JournalDatabase,
  run: RunRecord,
  file: SqliteConnection,
): Promise<ReturnedIdentifiers> {
  withStorageErrors(file.name, () => file.exec(table));
  const returned: ReturnedIdentifiers = {
    add(contact, value) {
      const identifier = toIdentifier(value);
      if (identifier !== null) replaceRow(file, 'returned', { identifier, contact });
    },
    ownerOf(of) {
      const identifier = toComparableIdentifier(of);
      if (identifier === null) return undefined;
      return selectOne(file, { contact: numberColumn })`
        SELECT contact FROM returned WHERE identifier = ${identifier}`?.contact;
    },
  };
  for (const undo of listUndos(journal, run)) {
    if (listUndos(journal, undo).length > 0) continue;
    await visitWrittenEffects(journal, undo, file, ({ state }, { contact, values }) => {
      if (state !== 'acked' || contact === undefined) return;
      for (const { kind, name, want } of values)
        if (kind === 'contact') returned.add(contact, { kind, name, to: want });
    });
  }
  return returned;
}

function toIdentifier({ kind, name, to }: Pick<ValueReversion, 'kind' | 'name' | 'to'>): string | null {
  if (kind !== 'contact' || (name !== 'email' && name !== 'phone')) return null;
  return typeof to === 'string' && to !== '' ? toComparableIdentifier({ kind: name, value: to }) : null;
}

/** Calls `work` with what the undos of a run have put back, in a scratch database that is removed afterwards. */
export async function withReturnedIdentifiers<T>(
  journal: JournalDatabase,
  workDir: string,
  run: RunRecord,
  work: (returned: ReturnedIdentifiers) => Promise<T>,
): Promise<T> {
  const folder = await makeTemporarySpoolFolder(join(workDir, 'spool'));
  try {
    const file = createScratchDatabase(join(folder, 'returned.db'));
    try {
      return await work(await collectReturnedIdentifiers(journal, run, file));
    } finally {
      file.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
