import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { DiffFilter, DiffLine, DiffLinesPage } from '../../wire/plans.ts';
import type { RequestProblem } from '../../wire/problem.ts';
import { callRoute, toRequestProblem } from '../call.ts';

const pageSize = 100;

/** The number of cached pages; older ones are requested again when they are visible. */
const mostPages = 200;

/** An index beyond every line: a request from here on makes the server search the whole plan. */
const farOff = 4_000_000_000;

/** Searches a plan for the lines that pass a filter, and fetches them as they become visible. */
export function useDiffSearch(path: string, filter: DiffFilter) {
  /** The progress of the search; undefined before its first answer. */
  const state = useSignal<Omit<DiffLinesPage, 'lines'> | undefined>(undefined);
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const arrived = useSignal(0);
  const pages = useRef(new Map<number, readonly DiffLine[] | undefined>());
  const gone = useRef(new AbortController());
  const key = JSON.stringify([path, filter]);

  const ask = async (from: number, count: number): Promise<DiffLinesPage> => {
    const { signal } = gone.current;
    const answer = await callRoute('planLines', { path, filter, from, count }, signal);
    const { lines: _, ...found } = answer;
    if (!signal.aborted) state.value = found;
    return answer;
  };
  const failed = (signal: AbortSignal) => (error: unknown) => {
    if (!signal.aborted) problem.value = toRequestProblem(error);
  };

  useEffect(() => {
    const stop = new AbortController();
    gone.current = stop;
    pages.current.clear();
    problem.value = undefined;
    const lookThrough = async () => {
      for (let from = 0; !stop.signal.aborted; from = farOff) {
        const { isDone } = await ask(from, pageSize);
        if (isDone) return;
      }
    };
    lookThrough().catch(failed(stop.signal));
    return () => stop.abort();
  }, [key]);

  const fetchPage = async (page: number, signal: AbortSignal) => {
    for (;;) {
      const { lines, isDone } = await ask(page * pageSize, pageSize);
      if (signal.aborted) return;
      if (lines.length === 0 && !isDone) continue;
      pages.current.set(page, lines);
      // An incomplete page is fetched again, because the search may find more lines of it.
      if (lines.length < pageSize && !isDone) pages.current.delete(page);
      for (const old of [...pages.current.keys()].slice(0, -mostPages)) pages.current.delete(old);
      arrived.value += 1;
      return;
    }
  };
  const inSight = useCallback(
    (from: number, to: number) => {
      const { signal } = gone.current;
      for (let page = Math.floor(from / pageSize); page <= Math.floor(to / pageSize); page += 1) {
        if (pages.current.has(page)) continue;
        pages.current.set(page, undefined);
        fetchPage(page, signal).catch((error: unknown) => {
          pages.current.delete(page);
          failed(signal)(error);
        });
      }
    },
    [key],
  );
  // Reading the signal renders the component again when more lines have arrived.
  void arrived.value;
  return {
    state,
    problem,
    inSight,
    /** Returns a line; undefined for one that is not loaded. */
    lineAt: (index: number): DiffLine | undefined =>
      pages.current.get(Math.floor(index / pageSize))?.[index % pageSize],
  };
}
