import type { MatchDecision } from '../../../identity/decide.ts';
import type { MatchedContacts } from '../../../identity/look-up.ts';
import type { ProposalRecord } from '../../../journal/index.ts';
import type { Contact } from '../../../model/contact.ts';
import type { Draft, FieldValues } from '../../../model/draft.ts';
import { idToIdentifier } from '../../../model/identifier.ts';
import type { Problem } from '../../../model/problem.ts';
import { computeFieldChanges } from '../../../steps/field-change.ts';
import { planMerge, sortOlderFirst } from '../../../steps/merge-contacts.ts';
import {
  listChangedProposalColumns,
  type ProposalCells,
  toProposalCells,
} from '../../../steps/merge-proposal.ts';
import type { ApprovedMerge } from '../approved-merges.ts';
import type { ImportContext } from '../context.ts';
import type { Person } from './person.ts';

type Pair = readonly [Contact, Contact];

/** Returns the proposal about two contacts as the cells of a line of merge-proposals.csv. */
function proposedCells(context: ImportContext, person: Person, contacts: Pair): ProposalCells {
  const { fields, keep, rules } = context;
  const { carrier } = person;
  const draft = createMergeDraft(context, person, contacts);
  const plan = planMerge(contacts, draft, keep, rules);
  const nothing: FieldValues = { contact: {}, customFields: {} };
  return toProposalCells({
    line: carrier.line,
    key: carrier.key,
    contacts: sortOlderFirst(contacts),
    row: draft.values,
    result: plan.kind === 'effect' ? plan.result : nothing,
    customFields: fields.map(({ name }) => name),
  });
}

/** Returns a merge proposal for each pair of contacts that a person leads to. */
export function createMergeProposals(
  context: ImportContext,
  person: Person,
  pairs: readonly Pair[],
): readonly ProposalRecord[] {
  const { seq } = person.carrier;
  return pairs.map((pair, n) => {
    const cells = proposedCells(context, person, pair);
    const [older, newer] = sortOlderFirst(pair);
    return { seq, pair: n, contacts: [older.id, newer.id] as const, cells: Object.entries(cells) };
  });
}

/** Returns the approved merge, or the problem if what was approved has changed since. */
export function checkApprovedMerge(
  context: ImportContext,
  person: Person,
  decision: MatchDecision,
):
  | { readonly kind: 'merge'; readonly contacts: Pair; readonly edited: FieldValues }
  | { readonly kind: 'stale'; readonly problem: Problem } {
  const approvals = approvalsOf(context, person);
  const pairs = decision.kind === 'propose' ? decision.pairs : [];
  for (const pair of pairs) {
    const approval = approvals.find(({ contacts }) => pair.every(({ id }) => contacts.includes(id)));
    if (approval === undefined) continue;
    const now = proposedCells(context, person, pair);
    const differences = listChangedProposalColumns(now, approval.shown);
    if (differences.length === 0) return { kind: 'merge', contacts: pair, edited: approval.edited };
    return stale(`changed since it was approved: ${differences.join(', ')}`);
  }
  const approved = approvals.map(({ contacts }) => contacts.join(' and ')).join(', ');
  const now =
    pairs.length === 0
      ? 'it does not lead to two contacts any more'
      : `it leads to ${pairs.map((pair) => pair.map(({ id }) => id).join(' and ')).join(', ')} now`;
  return stale(`contacts ${approved} were approved, and ${now}`);
}

/**
 * Adds the contacts that were approved or answered for a row to those found: a snapshot may have seen a second contact
 * under an identifier where a single read finds only the first.
 */
export async function includeApprovedMatches(
  context: ImportContext,
  person: Person,
  found: MatchedContacts,
): Promise<MatchedContacts> {
  const all = [...found];
  for (const id of [...listApprovedContactIds(context, person), ...askedContacts(context, person)]) {
    if (all.some(({ contact }) => contact.id === id)) continue;
    const answer = await context.workspace.contacts.read(idToIdentifier(id));
    if (answer.kind === 'ok') all.push({ by: 'id', contact: answer.value });
  }
  return all;
}

/** Returns the contact ids of the merges that were approved for a person's rows. */
export function listApprovedContactIds(context: ImportContext, person: Person): readonly number[] {
  return approvalsOf(context, person).flatMap(({ contacts }) => contacts);
}

function askedContacts({ scope }: ImportContext, { rows }: Person): readonly number[] {
  const questions = rows.flatMap((row) => scope.answersOf?.(row) ?? []).map(({ question }) => question.other);
  return questions.flatMap((other) => (other.kind === 'contact' ? [other.id] : []));
}

function approvalsOf({ scope }: ImportContext, { rows }: Person): readonly ApprovedMerge[] {
  const { approvalsOf: ofRow } = scope;
  return ofRow === undefined ? [] : rows.flatMap((row) => ofRow(row));
}

function stale(reason: string) {
  return { kind: 'stale', problem: { code: 'identity.stale', column: null, reason } } as const;
}

/** Returns the draft for a merge: with all values, or under `onMatch: fill` only those that both contacts lack. */
export function createMergeDraft(
  { rules, policy }: ImportContext,
  { draft }: Person,
  contacts: readonly [Contact, Contact],
): Draft {
  if (policy.onMatch !== 'fill') return draft;
  const { values } = draft;
  const empty = contacts.map(
    (contact) =>
      new Set(
        computeFieldChanges(values, contact, rules, 'empty').map(({ kind, name }) => `${kind} ${name}`),
      ),
  );
  const isEmpty = (kind: string) => {
    return ([name]: readonly [string, unknown]) => empty.every((each) => each.has(`${kind} ${name}`));
  };
  const contact = Object.entries(values.contact).filter(isEmpty('contact'));
  const customFields = Object.entries(values.customFields).filter(isEmpty('custom'));
  return {
    ...draft,
    values: { contact: Object.fromEntries(contact), customFields: Object.fromEntries(customFields) },
  };
}
