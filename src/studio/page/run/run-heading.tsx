import type { RunListEntry } from '../../wire/runs.ts';
import { runStateTones } from './run-state.ts';

interface RunHeadingProps {
  readonly id: string;
  readonly run: string;
  /** Undefined until it is known. */
  readonly status: Pick<RunListEntry, 'state'> | undefined;
}

/** The heading of a page about a run, with its state. */
export function RunHeading({ id, run, status }: RunHeadingProps) {
  return (
    <h2 id={id}>
      {run} {status && <span class={`tag ${runStateTones[status.state]}`}>{status.state}</span>}
    </h2>
  );
}
