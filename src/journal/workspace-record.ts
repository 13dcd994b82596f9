import * as z from 'zod';
import { FatalError } from '../model/fatal-error.ts';
import { jsonColumn, nullableColumn, numberColumn } from '../storage/columns.ts';
import { insertRow, runSql, selectOne } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';

/** The identity of a workspace: its place and the ids of its users and custom fields, never its token. */
export interface WorkspaceIdentity {
  /** The base URL, or `sandbox:<id>`. */
  readonly place: string;
  readonly users: readonly number[];
  readonly fields: readonly number[];
}

const ids = jsonColumn(z.array(z.number()));

/**
 * Stores a workspace, or updates its ids, and returns its number in the journal. Throws a FatalError('usage') if the
 * place is known, but has none of the users and custom fields stored for it: then it is another workspace.
 */
export function registerWorkspace(file: JournalDatabase, identity: WorkspaceIdentity): number {
  const known = selectOne(file, { number: numberColumn, users: ids, fields: ids })`
    SELECT number, users, fields FROM workspace WHERE place = ${identity.place}`;
  const [users, fields] = [JSON.stringify(identity.users), JSON.stringify(identity.fields)];
  if (known === undefined) return insertRow(file, 'workspace', { place: identity.place, users, fields });
  if (isAnother(known, identity)) {
    throw new FatalError(
      'usage',
      `${identity.place} has none of the users and custom fields that this work dir knows: it is a different workspace.`,
      {
        next: 'Check the base URL and the token, or use a separate --work-dir for the other workspace.',
      },
    );
  }
  runSql(file)`UPDATE workspace SET users = ${users}, fields = ${fields} WHERE number = ${known.number}`;
  return known.number;
}

function isAnother(remembered: Omit<WorkspaceIdentity, 'place'>, now: WorkspaceIdentity): boolean {
  if (remembered.users.length + remembered.fields.length === 0) return false;
  const found =
    remembered.users.some((id) => now.users.includes(id)) ||
    remembered.fields.some((id) => now.fields.includes(id));
  return !found;
}

/** Returns the number of contacts of a workspace at the last count; undefined if they were never counted. */
export function readContactCount(file: JournalDatabase, workspace: number): number | undefined {
  const stored = selectOne(file, { contacts: nullableColumn(numberColumn) })`
    SELECT contacts FROM workspace WHERE number = ${workspace}`;
  return stored?.contacts ?? undefined;
}

export function storeContactCount(file: JournalDatabase, workspace: number, contacts: number): void {
  runSql(file)`UPDATE workspace SET contacts = ${contacts} WHERE number = ${workspace}`;
}

/** Returns the journal's number of the workspace at this place; undefined if none is stored. */
export function findWorkspaceNumber(file: JournalDatabase, place: string): number | undefined {
  return selectOne(file, { number: numberColumn })`SELECT number FROM workspace WHERE place = ${place}`
    ?.number;
}
