import type { User } from '../model/user.ts';

/** The users of a workspace, found by the names that a mapping or a row uses for them. */
export interface UserIndex {
  /**
   * Finds a user by id, else e-mail address, else "First Last", without regard to case; `several` if more than one
   * user has the name.
   */
  find(text: string): User | 'unknown' | 'several';
  /** The e-mail addresses and full names of the users. */
  readonly names: readonly string[];
}

export function createUserIndex(users: readonly User[]): UserIndex {
  const byId = new Map(users.map((user) => [String(user.id), user]));
  const byEmail = new Map(users.map((user) => [user.email.toLowerCase(), user]));
  const byName = new Map<string, User | 'several'>();
  for (const user of users) {
    const name = nameOf(user).toLowerCase();
    byName.set(name, byName.has(name) ? 'several' : user);
  }
  return {
    find(text) {
      const key = plain(text).toLowerCase();
      if (key === '') return 'unknown';
      return byId.get(key) ?? byEmail.get(key) ?? byName.get(key) ?? 'unknown';
    },
    names: users.flatMap((user) => [user.email, nameOf(user)]),
  };
}

/** Returns a clause that explains why `UserIndex.find` found no single user for a text. */
export function explainUnresolvedUser(text: string, found: 'unknown' | 'several'): string {
  const shown = JSON.stringify(text);
  return found === 'several'
    ? `several users of the workspace are named ${shown}; use the e-mail address or id`
    : `no user of the workspace has the id, the e-mail address or the name ${shown}`;
}

function nameOf({ firstName, lastName }: User): string {
  return plain(`${firstName} ${lastName}`);
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
