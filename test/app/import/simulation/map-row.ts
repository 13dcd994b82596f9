import type { ContactFields } from '../../../../src/model/contact.ts';
import type { CustomValue } from '../../../../src/model/custom-field.ts';
import type { CommentDraft, DesiredConversation, Draft, MappingResult } from '../../../../src/model/draft.ts';
import type { Row } from '../../../../src/model/row.ts';

const contactColumns: readonly string[] = ['firstName', 'lastName', 'email', 'phone'];
const customColumns: readonly string[] = ['Score', 'VIP', 'Note', 'Born'];

/** What the mapping writes. */
export const fillFields = [...contactColumns, ...customColumns.map((name) => `customFields.${name}`)];

/** Columns of comments, in the order in which they are sent. */
export const commentColumns = ['origin', 'story', 'farewell'] as const;

/** The mapping: columns are named like what they become; `Key` is the key, and Owner the number of a user. */
export function mapRow(row: Row): MappingResult {
  const cells = new Map(row.entries().filter((entry): entry is [string, string] => entry[1] !== null));
  const key = cells.get('Key') ?? null;
  const values = fieldsOf(cells);
  if (!values.contact.email && !values.contact.phone) {
    const reason = 'neither e-mail nor phone';
    return { ok: false, key, problems: [{ code: 'identity.missing', column: null, reason }] };
  }
  return {
    ok: true,
    draft: {
      key,
      emailAsWritten: null,
      values,
      birthDateField: 'Born',
      defaults: { contact: { firstName: 'Unknown', language: 'en' }, customFields: {} },
      ...belongingsOf(cells),
      dropped: [],
    },
  };
}

/** The values that some cells say. */
export function fieldsOf(cells: Iterable<readonly [string, string]>): Draft['values'] {
  const all = [...cells];
  const contact: ContactFields = Object.fromEntries(all.filter(([name]) => contactColumns.includes(name)));
  const custom = all.filter(([name]) => customColumns.includes(name));
  return { contact, customFields: Object.fromEntries(custom.map((cell) => [cell[0], customValue(...cell)])) };
}

function belongingsOf(cells: ReadonlyMap<string, string>): Partial<Draft> {
  const [stage, owner] = [cells.get('Stage'), cells.get('Owner')];
  const [tags, conversation] = [cells.get('Tags'), cells.get('Conversation')];
  const comments = commentColumns.flatMap((id): CommentDraft[] => {
    const text = cells.get(id);
    return text === undefined ? [] : [{ id, text }];
  });
  return {
    ...(tags !== undefined && { tags: tags.split(';') }),
    ...(stage !== undefined && { lifecycle: stage }),
    ...(owner !== undefined && { assignee: { as: owner, userId: Number(owner) } }),
    ...(conversation !== undefined && { conversation: conversationOf(conversation) }),
    ...(comments.length > 0 && { comments }),
  };
}

/** `open`, `closed`, or with the name of a closing note `closed Migrated`. */
function conversationOf(cell: string): DesiredConversation {
  const [status, category] = cell.split(' ');
  if (status === 'open') return { status };
  return category === undefined ? { status: 'closed' } : { status: 'closed', category, summary: 'imported' };
}

function customValue(name: string, cell: string): CustomValue {
  if (name === 'Score') return Number(cell);
  return name === 'VIP' ? cell === 'true' : cell;
}
