import type { CustomField } from '../../model/custom-field.ts';
import { formatDidYouMean } from '../../model/nearest.ts';
import type { User } from '../../model/user.ts';
import type { MistakeReporter, YamlMistake } from '../document/mistake.ts';
import type { LoadedMapping } from '../load.ts';
import type { Mapping } from '../schema.ts';
import { createUserIndex, explainUnresolvedUser } from '../users.ts';
import { checkCustomFields, checkTextOnlyFields } from './custom-fields.ts';
import { checkClosingNote } from './names.ts';

/** The data read from a workspace; a part that is left out is unknown. */
export interface WorkspaceDefinitions {
  readonly customFields: readonly CustomField[];
  readonly users?: readonly User[];
  /** The names of the closing notes. */
  readonly closingNotes?: readonly string[];
}

/** Returns a mistake, with its place, for each part of the mapping that does not fit the workspace. */
export function checkAgainstWorkspace(
  loaded: LoadedMapping,
  { customFields, users, closingNotes }: WorkspaceDefinitions,
): readonly YamlMistake[] {
  const { mapping } = loaded;
  const mistakes: YamlMistake[] = [];
  const note: MistakeReporter = (path, reason) => {
    mistakes.push(loaded.mistake(path, reason));
  };
  checkCustomFields(mapping, customFields, note);
  checkTextOnlyFields(mapping, customFields, note);
  checkUsers(mapping, users, note);
  const noSuchNote = checkClosingNote(mapping.conversation?.category, closingNotes);
  if (noSuchNote !== undefined) note(['conversation', 'category'], noSuchNote);
  return mistakes.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Notes a mistake for each user in the mapping that matches no user of the workspace, or more than one. */
function checkUsers({ assignee }: Mapping, users: readonly User[] | undefined, note: MistakeReporter): void {
  if (!assignee || !users) return;
  const index = createUserIndex(users);
  const check = (path: readonly string[], text: string, words: readonly string[] = []): void => {
    const found = index.find(text);
    if (typeof found === 'object') return;
    note(
      path,
      explainUnresolvedUser(text, found) +
        (found === 'unknown' ? formatDidYouMean(text, [...words, ...index.names]) : ''),
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
