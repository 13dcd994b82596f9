import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isUndone } from '../wire/later-runs.ts';
import type { RequestProblem } from '../wire/problem.ts';
import type { RunListEntry, WorkDirActivity } from '../wire/runs.ts';
import { listenToStream } from './events.ts';
import { project, workspaceOfTab } from './project.ts';

/** The latest activity of the project; undefined until it is known. */
export const activity = signal<WorkDirActivity | undefined>(undefined);

/** The problem of the stream of activity; undefined for none. */
export const activityProblem = signal<RequestProblem | undefined>(undefined);

/** Follows the activity of the project, with the progress of the import of a pipeline; one stream serves all views. */
export function useActivity(pipeline: string | undefined): void {
  useEffect(
    () =>
      listenToStream(
        'watchActivity',
        { pipeline },
        {
          event(event) {
            activity.value = event;
            activityProblem.value = undefined;
            const { workspace } = event;
            // Another tab has connected a workspace.
            if (workspace !== project.value.workspace) project.value = { ...project.value, workspace };
          },
          problem: (why) => (activityProblem.value = why),
        },
      ),
    [pipeline],
  );
}

/** Returns true for a run that has ended before its last row, and was not undone. */
export function isToBeContinued({ run, state }: Pick<RunListEntry, 'run' | 'state'>): boolean {
  return ['interrupted', 'stopped', 'failed'].includes(state) && !isUndone(activity.value?.runs ?? [], run);
}

/** Returns the workspace of this tab, and `fresh` where the import of an older file is not finished. */
export function rowOptionsOfTab(pipeline: string): { readonly workspace?: 'sandbox'; readonly fresh?: true } {
  const progress = activity.value?.progress;
  const startsOver =
    progress?.pipeline === pipeline && progress.hasNewerInput && progress.run !== null
      ? isToBeContinued(progress.run)
      : false;
  return { ...workspaceOfTab(), ...(startsOver && { fresh: true }) };
}
