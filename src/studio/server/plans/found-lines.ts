import { statSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { type DiffFilter, DiffLines } from '../../../app/plan/diff-pages.ts';
import type { PlanLines } from '../../wire/plans.ts';
import type { ProjectFiles } from '../project.ts';
import { keptOf, withKeptPlan } from './plan-files.ts';

/** ms that one question looks on for: then it answers with what there is. */
const patience = 300;

/** Filters that are remembered: each has up to 4 bytes for every line of its plan. */
const mostRemembered = 4;

/** What filters have found in kept plans. It is found again whenever it is not here any more. */
export class FoundLines {
  readonly #remembered = new Map<string, DiffLines>();

  /** The lines from the `from`th on that pass a filter; as far as was looked by now. */
  async page(
    files: ProjectFiles,
    { path, filter, from, count }: { path: string; filter: DiffFilter; from: number; count: number },
  ): Promise<PlanLines> {
    const lines = this.#linesOf(files, path, filter);
    const until = performance.now() + patience;
    while (!lines.state.isDone && lines.state.found < from + count && performance.now() < until) {
      withKeptPlan(files, path, (file) => lines.lookOn(file));
      await setImmediate();
    }
    return withKeptPlan(files, path, (file) => ({ ...lines.state, lines: lines.page(file, from, count) }));
  }

  #linesOf(files: ProjectFiles, path: string, filter: DiffFilter): DiffLines {
    const place = files.existing(path);
    const { ino, mtimeMs, size } = statSync(place);
    const key = JSON.stringify([place, ino, mtimeMs, size, filter]);
    // Where there is no diff to look through, this says so.
    withKeptPlan(files, path, keptOf);
    const lines = this.#remembered.get(key) ?? new DiffLines(filter);
    this.#remembered.delete(key);
    this.#remembered.set(key, lines);
    for (const old of [...this.#remembered.keys()].slice(0, -mostRemembered)) this.#remembered.delete(old);
    return lines;
  }
}
