import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { RequestProblem } from '../wire/problem.ts';
import type { WorkDirActivity } from '../wire/runs.ts';
import { listenToStream } from './events.ts';
import { project } from './project.ts';

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
          problem(why) {
            activityProblem.value = why;
          },
        },
      ),
    [pipeline],
  );
}
