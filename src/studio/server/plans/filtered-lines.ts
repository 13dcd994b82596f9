import { statSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { type DiffFilter, DiffSearch } from '../../../app/plan/diff-pages.ts';
import type { DiffLinesPage } from '../../wire/plans.ts';
import type { ProjectPathResolver } from '../project.ts';
import { requireStoredPlanSummary, withStoredPlan } from './plan-files.ts';

/** The time limit of a request's search (ms), after which the lines found so far are returned. */
const patience = 300;

/** The number of cached searches: each takes up to 8 bytes for every line that passes its filter. */
const mostRemembered = 4;

/** A cache of the searches in the diffs of stored plans, by plan and filter. */
export class DiffSearchCache {
  readonly #remembered = new Map<string, DiffSearch>();

  /** Returns at most `count` matching lines from index `from` on, after searching the plan for up to 300 ms. */
  async page(
    files: ProjectPathResolver,
    { path, filter, from, count }: { path: string; filter: DiffFilter; from: number; count: number },
  ): Promise<DiffLinesPage> {
    const lines = this.#linesOf(files, path, filter);
    const until = performance.now() + patience;
    while (!lines.state.isDone && lines.state.found < from + count && performance.now() < until) {
      withStoredPlan(files, path, (file) => lines.lookOn(file));
      await setImmediate();
    }
    return withStoredPlan(files, path, (file) => ({ ...lines.state, lines: lines.page(file, from, count) }));
  }

  #linesOf(files: ProjectPathResolver, path: string, filter: DiffFilter): DiffSearch {
    const place = files.existing(path);
    const { ino, mtimeMs, size } = statSync(place);
    const key = JSON.stringify([place, ino, mtimeMs, size, filter]);
    // Throws an HttpError for a plan of an older version.
    withStoredPlan(files, path, requireStoredPlanSummary);
    const lines = this.#remembered.get(key) ?? new DiffSearch(filter);
    this.#remembered.delete(key);
    this.#remembered.set(key, lines);
    for (const old of [...this.#remembered.keys()].slice(0, -mostRemembered)) this.#remembered.delete(old);
    return lines;
  }
}
