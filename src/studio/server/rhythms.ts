import { existsSync } from 'node:fs';
import { type Rhythm, rhythmOf } from '../../app/status/report/rhythm.ts';
import type { RunRecord } from '../../journal/index.ts';
import { systemClock } from '../../workspace/index.ts';
import type { Late } from '../wire/history.ts';

/** The rhythm of a pipeline, of runs that are newest first; null where none shows. */
export function rhythmIn(
  runs: readonly RunRecord[],
  { kind, pipeline }: Pick<RunRecord, 'kind' | 'pipeline'>,
): Rhythm | null {
  const times = runs
    .filter((run) => run.kind === kind && run.pipeline === pipeline && isOrdinary(run))
    .map(({ startedAt }) => startedAt);
  return rhythmOf(times, systemClock.now());
}

/** The pipelines that should have run again by now. */
export function lateIn(runs: readonly RunRecord[]): readonly Late[] {
  const all = new Map(runs.map((run) => [`${run.kind} ${run.pipeline}`, run]));
  return [...all.values()].flatMap(({ kind, pipeline, file }) => {
    const rhythm = rhythmIn(runs, { kind, pipeline });
    return rhythm !== null && rhythm.late > 0 && existsSync(file) ? [{ kind, pipeline, rhythm }] : [];
  });
}

/** What a timer starts: neither rehearsals nor what somebody asks of a run afterwards. */
function isOrdinary({ target, selection, undo }: RunRecord): boolean {
  return target !== 'sandbox' && selection.kind === 'all' && undo === undefined;
}
