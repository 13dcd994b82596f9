import type { JobEnd } from '../queue/job.ts';

/** The state of a machine, as the other workers see it. */
export interface MachineState {
  /** Why it takes no job at all; null where it takes some. */
  readonly notReady: string | null;
  /** By workspace: why it takes no job of it, and since when (ISO 8601). */
  readonly refused: Readonly<Record<string, JobRefusal>>;
}

export interface JobRefusal {
  readonly message: string;
  readonly since: string;
}

/** The result of a check of the machine. */
export interface MachineFindings {
  readonly notReady: string | undefined;
  readonly refused: ReadonlyMap<string, string>;
}

/** Jobs in a row that this machine could not do, after which it takes none until the next check. */
const mostInRow = 3;

/** The state of this machine: from its last check, and from the jobs that it gave back since. */
export class Readiness {
  #state: MachineState = { notReady: 'it has not looked at its machine yet', refused: {} };
  /** Jobs in a row that were given back. */
  #row = 0;
  /** By workspace: since when its jobs are given back (ISO 8601), over all looks until one of them could be done. */
  readonly #givenBackSince = new Map<string, string>();

  get state(): MachineState {
    return this.#state;
  }

  /** A look replaces what was found before; what is still so keeps its time. */
  found({ notReady, refused }: MachineFindings, now: number): void {
    const before = this.#state.refused;
    const since = (workspace: string) => before[workspace]?.since ?? new Date(now).toISOString();
    const entries = [...refused].map(([workspace, message]) => [
      workspace,
      { message, since: since(workspace) },
    ]);
    this.#state = { notReady: notReady ?? null, refused: Object.fromEntries(entries) };
    // One more job after a good look tells whether that is over.
    this.#row = Math.min(this.#row, mostInRow - 1);
  }

  /** A job ended: one that was given back is not taken again before the next look. */
  ended(workspace: string, { fault, message }: Pick<JobEnd, 'fault' | 'message'>, now: number): void {
    // That the fleet's database was away says nothing of the machine.
    if (fault === 'database') return;
    if (fault !== 'machine') {
      this.#row = 0;
      this.#givenBackSince.delete(workspace);
      return;
    }
    this.#row += 1;
    const why = message ?? 'the machine could not do it.';
    const since = this.#givenBackSince.get(workspace) ?? new Date(now).toISOString();
    this.#givenBackSince.set(workspace, since);
    const refusal = this.#state.refused[workspace] ?? { message: why, since };
    const notReady =
      this.#row >= mostInRow ? `${mostInRow} jobs in a row could not be done here: ${why}` : null;
    this.#state = {
      notReady: this.#state.notReady ?? notReady,
      refused: { ...this.#state.refused, [workspace]: refusal },
    };
  }
}
