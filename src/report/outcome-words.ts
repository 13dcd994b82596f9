import type { Outcome, RowCounts } from '../model/outcome.ts';

/** How an outcome is to be taken: done, left as the policy says, waiting for a person, or wrong. */
export type Tone = 'good' | 'quiet' | 'look' | 'bad';

export type RowState = Outcome | 'notReached';

interface Words {
  readonly label: string;
  readonly tone: Tone;
  /** What it means, for somebody who sees the word for the first time. */
  readonly meaning: string;
}

/** Every state of a row in the order in which it is shown. */
export const rowStates: Readonly<Record<RowState, Words>> = {
  created: { label: 'created', tone: 'good', meaning: 'new contacts' },
  updated: { label: 'updated', tone: 'good', meaning: 'contacts that got new values' },
  merged: { label: 'merged', tone: 'good', meaning: 'two contacts of one person became one' },
  folded: {
    label: 'folded',
    tone: 'good',
    meaning: 'merged into another row of the input: the same person',
  },
  unchanged: { label: 'unchanged', tone: 'quiet', meaning: 'already up to date; nothing was sent' },
  skipped: { label: 'skipped', tone: 'quiet', meaning: 'skipped by policy' },
  filtered: { label: 'filtered', tone: 'quiet', meaning: "left out by the source's where or skipEmpty" },
  proposed: {
    label: 'proposed',
    tone: 'look',
    meaning: 'two contacts may be one person; a merge needs your approval',
  },
  stale: {
    label: 'stale',
    tone: 'look',
    meaning: 'the contacts changed after the merge was proposed; nothing was sent',
  },
  uncertain: {
    label: 'uncertain',
    tone: 'look',
    meaning: 'a comment may have been sent; it cannot be verified through the API',
  },
  rejected: { label: 'rejected', tone: 'bad', meaning: 'the row has errors; nothing of it was sent' },
  failed: { label: 'failed', tone: 'bad', meaning: 'the workspace did not accept it' },
  notReached: { label: 'not reached', tone: 'quiet', meaning: 'the run ended before' },
};

const order = Object.entries(rowStates);

/** The states that rows are in, in their order, with how many. */
export function presentStates(rows: RowCounts): (Words & { readonly state: string; readonly n: number })[] {
  const counts = new Map<string, number>(Object.entries(rows));
  return order
    .map(([state, words]) => ({ ...words, state, n: counts.get(state) ?? 0 }))
    .filter(({ n }) => n > 0);
}
