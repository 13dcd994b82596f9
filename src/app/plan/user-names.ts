import { z } from 'zod';
import type { SqliteConnection } from '../../storage/sqlite.ts';

const person = z.object({ id: z.number(), firstName: z.string(), lastName: z.string(), email: z.string() });
const usersPage = z.object({ items: z.array(person) });
const contactsPage = z.object({ items: z.array(z.object({ assignee: person.nullable() })) });

/** A user of the workspace, or a former one who is still assigned. */
type Person = z.output<typeof person>;

/** Stores the names of users in a plan's file, by their ids. */
export class UserNameRecorder {
  readonly #keep;
  readonly #known = new Set<number>();

  constructor(file: SqliteConnection) {
    this.#keep = file.prepare<[number, string]>('INSERT OR IGNORE INTO user VALUES (?, ?)');
  }

  /** Stores the users on a page of users. */
  ofUsers(page: unknown): void {
    for (const each of usersPage.parse(page).items) this.note(each);
  }

  /** Stores the assignees on a page of contacts. */
  ofContacts(page: unknown): void {
    for (const { assignee } of contactsPage.parse(page).items) this.note(assignee);
  }

  note(user: Person | null): void {
    if (user === null || this.#known.has(user.id)) return;
    this.#known.add(user.id);
    this.#keep.run(user.id, nameOf(user));
  }
}

function nameOf({ firstName, lastName, email }: Person): string {
  const name = `${firstName} ${lastName}`.replace(/\s+/g, ' ').trim();
  if (name === '') return email;
  return email === '' ? name : `${name} <${email}>`;
}

/**
 * Returns a function that gives the name of a user by id, or `user 17` if the plan does not have the name, for example
 * because an older version made it.
 */
export function createUserNameLookup(file: SqliteConnection): (id: number) => string {
  const kept = file.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'user'").get();
  const users =
    kept === undefined
      ? []
      : file.prepare<[], { id: number; name: string }>('SELECT id, name FROM user').all();
  const names = new Map(users.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) || `user ${id}`;
}
