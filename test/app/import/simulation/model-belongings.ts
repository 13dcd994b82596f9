import type { TransportResponse } from '../../../../src/model/ports.ts';
import { answer, isRecord } from './model-body.ts';
import type { Person } from './model-workspace.ts';
import type { Plain } from './plain.ts';

/** A change of what belongs to a contact. */
export interface BelongingChange {
  readonly comment?: string;
  /** Added to those that are there. */
  readonly tags?: readonly string[];
  readonly to?: Partial<Plain>;
  readonly response: (id: number) => TransportResponse;
}

const acknowledged = () => answer(200, { code: 200, message: 'done' });
const referred = (contactId: number) => answer(200, { contactId });

/** Reads a request below a contact's path; says what is wrong with it. */
export function belongingOf(what: string, body: unknown): string | BelongingChange {
  if (what === 'tag') return tagsOf(body);
  if (!isRecord(body)) return 'Validation error.';
  switch (what) {
    case 'lifecycle/update':
      return typeof body.name === 'string'
        ? { to: { lifecycle: body.name === '' ? null : body.name }, response: acknowledged }
        : 'name is required';
    case 'comment':
      return commentOf(body.text);
    case 'conversation/assignee':
      return { to: { assignee: body.assignee === null ? null : Number(body.assignee) }, response: referred };
    case 'conversation/status':
      return statusOf(body);
    default:
      return `there is no ${what}`;
  }
}

function commentOf(text: unknown): string | BelongingChange {
  if (typeof text !== 'string' || text === '') return 'text is required';
  if (text.length > 1_000) return 'the comment length must not exceed 1000 characters';
  return { comment: text, response: (contactId) => answer(200, { contactId, text, created_at: 1 }) };
}

function statusOf({ status, category = null }: Record<string, unknown>): string | BelongingChange {
  if (typeof category !== 'string' && category !== null) return 'category is no text';
  if (status === 'open') return { to: { status, category: null }, response: referred };
  return status === 'close'
    ? { to: { status: 'closed', category }, response: referred }
    : 'status is open or close';
}

function tagsOf(body: unknown): string | BelongingChange {
  const names = Array.isArray(body) ? body.filter((name) => typeof name === 'string') : [];
  return names.length > 0 ? { tags: names, response: acknowledged } : 'a list of names is required';
}

/** Writes the change. */
export function writesBelonging(person: Person, { comment, tags = [], to = {} }: BelongingChange): void {
  if (comment !== undefined) person.comments.push(comment);
  person.now = { ...person.now, ...to, tags: [...new Set([...person.now.tags, ...tags])] };
}
