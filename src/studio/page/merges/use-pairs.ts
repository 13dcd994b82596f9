import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { MergeReviewProgress, PairWithDecision, ProposalDecision } from '../../wire/merges.ts';
import type { RequestProblem } from '../../wire/problem.ts';
import { callRoute, toRequestProblem } from '../call.ts';

const pageSize = 50;

/** Fetches the pairs of a run as they are needed, and starts at the first undecided one. */
export function usePairReview(run: string) {
  const progress = useSignal<MergeReviewProgress | undefined>(undefined);
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const pairs = useSignal<readonly PairWithDecision[]>([]);
  const index = useSignal(0);

  const fetchMore = async (): Promise<boolean> => {
    const after = pairs.value.at(-1)?.at ?? null;
    const { pairs: more } = await callRoute('mergePairs', { run, after, count: pageSize });
    pairs.value = [...pairs.value, ...more];
    return more.length === pageSize;
  };
  // While an action runs, others are ignored: a key pressed then may be meant for another pair.
  const busy = useRef(false);
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    if (busy.current) return false;
    busy.current = true;
    try {
      problem.value = undefined;
      await work();
      return true;
    } catch (error) {
      problem.value = toRequestProblem(error);
      return false;
    } finally {
      busy.current = false;
    }
  };
  const begin = async () => {
    progress.value = await callRoute('mergeProgress', { run });
    for (let hasMore = true; hasMore; ) {
      hasMore = await fetchMore();
      const open = pairs.value.findIndex(({ decision }) => decision.answer === '');
      if (open !== -1 || !hasMore) {
        index.value = Math.max(0, open);
        return;
      }
    }
  };
  useEffect(() => {
    void attempt(begin);
  }, [run]);

  const move = async (by: number) => {
    const to = index.value + by;
    if (to < 0 || to >= (progress.value?.proposals ?? 0)) return;
    if (to >= pairs.value.length) await fetchMore();
    if (to < pairs.value.length) index.value = to;
  };
  return {
    ...{ progress, problem, index },
    /** Returns true while a decision is saved or pairs are fetched; other actions are ignored meanwhile. */
    isBusy: () => busy.current,
    pair: pairs.value[index.value],
    /** Moves forward by a number of pairs, or back if it is negative. */
    move: (by: number): void => void attempt(() => move(by)),
    /** Saves a decision about the current pair; returns whether it succeeded. */
    async decide(answer: ProposalDecision['answer'], result: Readonly<Record<string, string>>) {
      const pair = pairs.value[index.value];
      if (pair === undefined) return false;
      return await attempt(async () => {
        progress.value = await callRoute('decidePair', { run, at: pair.at, answer, result });
        const decision = { answer, ...(Object.keys(result).length > 0 && { result }) };
        pairs.value = pairs.value.map((each) => (each.id === pair.id ? { ...each, decision } : each));
      });
    },
  };
}
