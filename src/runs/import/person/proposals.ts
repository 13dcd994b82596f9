import type { Decision } from '../../../identity/decide.ts';
import type { ProposalRecord } from '../../../journal/index.ts';
import type { Contact } from '../../../model/contact.ts';
import type { Draft, FieldValues } from '../../../model/draft.ts';
import type { Problem } from '../../../model/problem.ts';
import { olderFirst, planMerge } from '../../../operations/merge-contacts.ts';
import {
  type ProposalCells,
  proposalCells,
  proposalDifferences,
} from '../../../operations/merge-proposal.ts';
import type { Approval } from '../approvals.ts';
import type { ImportContext } from '../context.ts';
import type { Person } from './person.ts';

type Pair = readonly [Contact, Contact];

/** What a person is to decide about two contacts, as a line of merge-proposals.csv (design: Columns). */
export function proposedCells(
  { fields, keep, rules }: ImportContext,
  { carrier }: Person,
  contacts: Pair,
  draft: Draft,
): ProposalCells {
  const plan = planMerge(contacts, draft, keep, rules);
  const nothing: FieldValues = { contact: {}, customFields: {} };
  return proposalCells({
    line: carrier.line,
    key: carrier.key,
    contacts: olderFirst(contacts),
    row: draft.values,
    result: plan.kind === 'effect' ? plan.result : nothing,
    customFields: fields.map(({ name }) => name),
  });
}

/** The proposals of a person who leads to two contacts or more, and what is said of the row. */
export function proposalsOf(
  context: ImportContext,
  person: Person,
  pairs: readonly Pair[],
  draftFor: (pair: Pair) => Draft,
): { readonly proposals: readonly ProposalRecord[]; readonly problem: Problem } {
  const { seq } = person.carrier;
  const proposals = pairs.map((pair, n) => {
    const cells = proposedCells(context, person, pair, draftFor(pair));
    return { seq, pair: n, cells: Object.entries(cells) };
  });
  const ids = [...new Set(pairs.flat().map(({ id }) => id))];
  const reason = `it leads to contacts ${ids.join(' and ')}, and a merge cannot be undone: see merge-proposals.csv`;
  return { proposals, problem: { code: 'identity.conflict', column: null, reason } };
}

/** What an approval comes to now: the merge, or why what was approved does not stand any more. */
export function approvedMerge(
  context: ImportContext,
  person: Person,
  approvals: readonly Approval[],
  decision: Decision,
  draftFor: (pair: Pair) => Draft,
):
  | { readonly kind: 'merge'; readonly contacts: Pair }
  | { readonly kind: 'stale'; readonly problem: Problem } {
  const pairs = decision.kind === 'propose' ? decision.pairs : [];
  for (const pair of pairs) {
    const approval = approvals.find(({ contacts }) => pair.every(({ id }) => contacts.includes(id)));
    if (approval === undefined) continue;
    const now = proposedCells(context, person, pair, draftFor(pair));
    const differences = proposalDifferences(now, approval.cells);
    if (differences.length === 0) return { kind: 'merge', contacts: pair };
    return stale(`changed since it was approved: ${differences.join(', ')}`);
  }
  const approved = approvals.map(({ contacts }) => contacts.join(' and ')).join(', ');
  const now =
    pairs.length === 0
      ? 'it does not lead to two contacts any more'
      : `it leads to ${pairs.map((pair) => pair.map(({ id }) => id).join(' and ')).join(', ')} now`;
  return stale(`contacts ${approved} were approved, and ${now}`);
}

function stale(reason: string) {
  return { kind: 'stale', problem: { code: 'identity.stale', column: null, reason } } as const;
}
