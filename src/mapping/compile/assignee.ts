import type { DesiredAssignee } from '../../model/draft.ts';
import type { Row } from '../../model/row.ts';
import type { User } from '../../model/user.ts';
import type { MistakeReporter } from '../document/mistake.ts';
import type { AssigneeRule } from '../schema/assignee.ts';
import { createUserIndex, explainUnresolvedUser, type UserIndex } from '../users.ts';
import { compileValueCandidates } from './candidates.ts';
import type { RowDiagnostics } from './findings.ts';
import { createMentionChunk } from './mention.ts';
import { noMention, type TemplateChunk } from './template.ts';

/**
 * The user that a row names, as the desired assignee (absent: leave it unchanged) and as the text that a comment
 * inserts for a mention.
 */
export interface AssigneeResult {
  readonly assignee?: DesiredAssignee;
  readonly mention: TemplateChunk;
}

/** The result for a row that names no user. */
export const noAssignee: AssigneeResult = { mention: noMention };

/** Compiles `assignee:`; `users` are the workspace's users, undefined if they were not read. */
export function compileAssignee(
  rule: AssigneeRule,
  users: readonly User[] | undefined,
  note: MistakeReporter,
): (row: Row, found: RowDiagnostics) => AssigneeResult {
  const find = compileValueCandidates(rule, false);
  const index = users && createUserIndex(users);
  const named = new Map(
    Object.entries(rule.users ?? {}).map(([name, user]) => [
      name.toLowerCase(),
      user === null ? null : String(user),
    ]),
  );
  const whenUnknown = index && compileUnknown(rule.unknown, index, note);

  return (row, found) => {
    const { candidates, present } = find(row);
    const candidate = candidates.find(({ text }) => text !== '');
    const none = present && rule.empty === 'clear' ? { assignee: { as: '', userId: null } } : {};
    if (!candidate) return { ...noAssignee, ...none };
    const written = { text: candidate.text, fromData: true };
    const user = named.get(candidate.text.toLowerCase());
    if (user === null) return { ...none, mention: written };
    const as = user ?? candidate.text;
    if (!index || !whenUnknown) return { assignee: { as, userId: null }, mention: written };
    const match = index.find(as);
    if (typeof match === 'object') return assignedTo(as, match);
    const instead = whenUnknown(explainUnresolvedUser(as, match), candidate.column, found);
    return instead ? assignedTo(instead.as, instead.user) : { mention: written };
  };
}

interface Instead {
  readonly as: string;
  readonly user: User;
}

/** Compiles `unknown:`, which rejects the row, leaves the assignee alone, or returns another user. */
function compileUnknown(
  unknown: AssigneeRule['unknown'],
  index: UserIndex,
  note: MistakeReporter,
): (why: string, column: string | null, found: RowDiagnostics) => Instead | undefined {
  const code = 'assignee.unknown';
  const sentence = (why: string): string => `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
  if (unknown === 'reject') {
    return (why, column, { problems }) => {
      problems.push({ code, column, reason: sentence(why) });
      return undefined;
    };
  }
  if (unknown === undefined || unknown === 'unassigned') {
    return (why, column, { notes }) => {
      notes.push({ code, column, reason: `${sentence(why)} The assignee is left alone.` });
      return undefined;
    };
  }
  const as = String(unknown);
  const user = index.find(as);
  if (typeof user === 'string') note(['assignee', 'unknown'], explainUnresolvedUser(as, user));
  const instead = typeof user === 'object' ? { as, user } : undefined;
  return (why, column, { notes }) => {
    const whom = JSON.stringify(as);
    notes.push({ code, column, reason: `${sentence(why)} The contact goes to ${whom} instead.` });
    return instead;
  };
}

function assignedTo(as: string, { id }: User): AssigneeResult {
  return { assignee: { as, userId: id }, mention: createMentionChunk(id) };
}
