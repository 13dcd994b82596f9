import type { CustomField } from '../../model/custom-field.ts';
import { didYouMean } from '../../model/nearest.ts';
import type { User } from '../../model/user.ts';
import type { Mistake, NoteMistake } from '../document/mistake.ts';
import type { LoadedMapping } from '../load.ts';
import type { Mapping } from '../schema.ts';
import { indexUsers, whyNot } from '../users.ts';
import { checkCustomFields, checkTextFields } from './custom-fields.ts';
import { closingNoteMistake } from './names.ts';

/** The data read from a workspace; a part that is left out is unknown. */
export interface KnownWorkspace {
  readonly customFields: readonly CustomField[];
  readonly users?: readonly User[];
  /** The names of the closing notes. */
  readonly closingNotes?: readonly string[];
}

/** Returns a mistake, with its place, for each part of the mapping that does not fit the workspace. */
export function checkWorkspace(
  loaded: LoadedMapping,
  { customFields, users, closingNotes }: KnownWorkspace,
): readonly Mistake[] {
  const { mapping } = loaded;
  const mistakes: Mistake[] = [];
  const note: NoteMistake = (path, reason) => {
    mistakes.push(loaded.mistake(path, reason));
  };
  checkCustomFields(mapping, customFields, note);
  checkTextFields(mapping, customFields, note);
  checkUsers(mapping, users, note);
  const noSuchNote = closingNoteMistake(mapping.conversation?.category, closingNotes);
  if (noSuchNote !== undefined) note(['conversation', 'category'], noSuchNote);
  return mistakes.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Notes a mistake for each user that the mapping names and the workspace does not have. */
function checkUsers({ assignee }: Mapping, users: readonly User[] | undefined, note: NoteMistake): void {
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
    if (user !== null) check(['assignee', 'users', name], String(user));
  }
  const { unknown } = assignee;
  const words = ['unassigned', 'reject'];
  if (unknown !== undefined && !words.includes(String(unknown))) {
    check(['assignee', 'unknown'], String(unknown), words);
  }
}
