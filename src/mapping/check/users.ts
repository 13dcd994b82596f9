import { didYouMean } from '../../model/nearest.ts';
import type { User } from '../../model/user.ts';
import type { Note } from '../document/mistake.ts';
import type { Mapping } from '../schema.ts';
import { indexUsers, whyNot } from '../users.ts';

/** Users that the mapping names must be there. */
export function checkUsers({ assignee }: Mapping, users: readonly User[] | undefined, note: Note): void {
  if (!assignee || !users) return;
  const index = indexUsers(users);
  const check = (path: readonly string[], text: string, words: readonly string[] = []): void => {
    const found = index.find(text);
    if (typeof found === 'object') return;
    note(
      path,
      whyNot(text, found) + (found === 'nobody' ? didYouMean(text, [...words, ...index.names]) : ''),
    );
  };
  for (const [name, user] of Object.entries(assignee.users ?? {})) {
    check(['assignee', 'users', name], String(user));
  }
  const { unknown } = assignee;
  const words = ['unassigned', 'reject'];
  if (unknown !== undefined && !words.includes(String(unknown))) {
    check(['assignee', 'unknown'], String(unknown), words);
  }
}
