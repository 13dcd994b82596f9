import { FatalError } from '../model/fatal-error.ts';
import type { JournalFile } from './open.ts';

/** What a workspace is known by: its place and the ids of its users and custom fields, never its token (promise 4). */
export interface WorkspaceIdentity {
  /** The base URL, or `sandbox:<id>`. */
  readonly place: string;
  readonly users: readonly number[];
  readonly fields: readonly number[];
}

/** Returns the journal's number of this workspace, or throws where another workspace now answers at its place. */
export function recogniseWorkspace(file: JournalFile, identity: WorkspaceIdentity): number {
  const known = file
    .prepare<[string], { number: number; users: string; fields: string }>(
      'SELECT number, users, fields FROM workspace WHERE place = ?',
    )
    .get(identity.place);
  if (known === undefined) {
    const { lastInsertRowid } = file
      .prepare('INSERT INTO workspace (place, users, fields) VALUES (?, ?, ?)')
      .run(identity.place, JSON.stringify(identity.users), JSON.stringify(identity.fields));
    return Number(lastInsertRowid);
  }
  const remembered = { users: ids(known.users), fields: ids(known.fields) };
  if (isAnother(remembered, identity)) {
    throw new FatalError(
      'usage',
      `${identity.place} has none of the users and custom fields that this work dir knows: it is a different workspace.`,
      {
        next: 'Check the base URL and the token, or use a separate --work-dir for the other workspace.',
      },
    );
  }
  file
    .prepare('UPDATE workspace SET users = ?, fields = ? WHERE number = ?')
    .run(JSON.stringify(identity.users), JSON.stringify(identity.fields), known.number);
  return known.number;
}

function isAnother(remembered: { users: number[]; fields: number[] }, now: WorkspaceIdentity): boolean {
  if (remembered.users.length + remembered.fields.length === 0) return false;
  const found =
    remembered.users.some((id) => now.users.includes(id)) ||
    remembered.fields.some((id) => now.fields.includes(id));
  return !found;
}

function ids(json: string): number[] {
  const parsed: unknown = JSON.parse(json);
  return Array.isArray(parsed) ? parsed.filter((id) => typeof id === 'number') : [];
}

/** How many contacts a workspace had when they were last counted, or undefined. */
export function contactsCounted(file: JournalFile, workspace: number): number | undefined {
  const stored = file
    .prepare<[number], { contacts: number | null }>('SELECT contacts FROM workspace WHERE number = ?')
    .get(workspace);
  return stored?.contacts ?? undefined;
}

export function rememberContacts(file: JournalFile, workspace: number, contacts: number): void {
  file.prepare('UPDATE workspace SET contacts = ? WHERE number = ?').run(contacts, workspace);
}
