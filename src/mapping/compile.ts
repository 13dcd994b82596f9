import { trimmed } from '../datatypes/index.ts';
import type { CustomField } from '../model/custom-field.ts';
import type { Draft, Mapped } from '../model/draft.ts';
import type { Row } from '../model/row.ts';
import type { User } from '../model/user.ts';
import { closingNoteMistake } from './check/closing-note.ts';
import { compileAssignee, unassigned } from './compile/assignee.ts';
import { compileComments } from './compile/comments.ts';
import { compileConversation } from './compile/conversation.ts';
import { compileContact, compileCustomFields } from './compile/fields.ts';
import type { Findings } from './compile/findings.ts';
import { checkIdentity } from './compile/identity.ts';
import { compileLifecycle } from './compile/lifecycle.ts';
import { compileTags } from './compile/tags.ts';
import type { Mistake, Note } from './document/mistake.ts';
import type { LoadedMapping } from './load.ts';

/** What the workspace adds to a mapping; what is left out is not known, as in an offline check. */
export interface CompileContext {
  /** List values are checked against these. */
  readonly customFields?: readonly CustomField[];
  /** Assignees are found among these. */
  readonly users?: readonly User[];
  /** The names of the closing notes. */
  readonly closingNotes?: readonly string[];
}

/**
 * A mapping as a pure function from a row to a draft or to what is wrong with the row. Throws a FatalError (usage) for
 * what the mapping asks and this version does not do, and for values of its own that can never be right.
 */
export function compileMapping(loaded: LoadedMapping, context: CompileContext = {}): (row: Row) => Mapped {
  const mistakes: Mistake[] = [];
  const note: Note = (path, message) => {
    mistakes.push(loaded.mistake(path, message));
  };
  const { mapping } = loaded;
  const { tags, lifecycle, assignee, conversation, comments } = mapping;
  const readContact = compileContact(mapping.contact, note);
  const readCustomFields = compileCustomFields(mapping.customFields, context.customFields, note);
  const readTags = tags ? compileTags(tags) : nothing;
  const readLifecycle = lifecycle ? compileLifecycle(lifecycle) : nothing;
  const readAssignee = assignee ? compileAssignee(assignee, context.users, note) : () => unassigned;
  const readConversation = conversation ? compileConversation(conversation) : nothing;
  const readComments = comments ? compileComments(comments) : nothing;
  const noSuchNote = closingNoteMistake(conversation?.category, context.closingNotes);
  if (noSuchNote !== undefined) note(['conversation', 'category'], noSuchNote);
  if (mistakes.length > 0) throw loaded.refusal(mistakes);

  return (row) => {
    const found: Findings = { problems: [], notes: [] };
    const key = mapping.key === undefined ? null : trimmed(row.cell(mapping.key) ?? '') || null;
    const contact = readContact(row, found);
    const customFields = readCustomFields(row, found);
    checkIdentity(mapping.identify, contact.values, found);
    const { wish, mention } = readAssignee(row, found);
    const draft: Draft = {
      key,
      emailAsWritten: contact.emailAsWritten,
      values: { contact: contact.values, customFields: customFields.values },
      defaults: { contact: contact.defaults, customFields: customFields.defaults },
      ...readTags(row, found),
      ...readLifecycle(row, found),
      ...(wish && { assignee: wish }),
      ...readConversation(row, found),
      ...readComments(row, mention, found),
      dropped: found.notes,
    };
    return found.problems.length > 0 ? { ok: false, key, problems: found.problems } : { ok: true, draft };
  };
}

/** What a part that the mapping does not have says of a row. */
function nothing(): Partial<Draft> {
  return {};
}
