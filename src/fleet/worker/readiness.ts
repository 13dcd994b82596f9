import type { JobResult } from '../queue/job.ts';

/** The readiness of a machine, as its worker reports it. */
export interface MachineReadinessState {
  /** The reason that it takes no jobs at all; null if it takes jobs. */
  readonly notReady: string | null;
  /** The refused workspaces, with the reason of each. */
  readonly refused: Readonly<Record<string, WorkspaceRefusal>>;
}

export interface WorkspaceRefusal {
  readonly message: string;
  readonly since: string;
}

/** The result of a check of the machine. */
export interface MachineCheckResult {
  readonly notReady: string | undefined;
  readonly refused: ReadonlyMap<string, string>;
}

/** Once the jobs of this many workspaces were given back in a row, this machine takes no jobs until its next check. */
const mostInRow = 3;

/** The readiness of this machine, by its last check and the jobs that it has given back since. */
export class MachineReadiness {
  #state: MachineReadinessState = { notReady: 'it has not looked at its machine yet', refused: {} };
  /**
   * The workspaces whose jobs were given back since a job last ended without a fault of this machine; a check does not
   * clear them.
   */
  readonly #givenBack = new Set<string>();
  /**
   * By workspace, the time at which its job was first given back (ISO 8601); removed when a job of the workspace ends
   * without a fault of this machine.
   */
  readonly #givenBackSince = new Map<string, string>();

  get state(): MachineReadinessState {
    return this.#state;
  }

  /** Records a check, which replaces earlier results; a workspace that stays refused keeps the time of its refusal. */
  found({ notReady, refused }: MachineCheckResult, now: number): void {
    const before = this.#state.refused;
    const since = (workspace: string) => before[workspace]?.since ?? new Date(now).toISOString();
    const entries = [...refused].map(([workspace, message]) => [
      workspace,
      { message, since: since(workspace) },
    ]);
    this.#state = { notReady: notReady ?? null, refused: Object.fromEntries(entries) };
  }

  /** Records a job's result; a workspace whose job was given back is refused until the next check. */
  ended(workspace: string, { fault, message }: Pick<JobResult, 'fault' | 'message'>, now: number): void {
    // An unreachable database says nothing about the machine.
    if (fault === 'database') return;
    if (fault !== 'machine') {
      this.#givenBack.clear();
      this.#givenBackSince.delete(workspace);
      return;
    }
    this.#givenBack.add(workspace);
    const why = message ?? 'the machine could not do it.';
    const since = this.#givenBackSince.get(workspace) ?? new Date(now).toISOString();
    this.#givenBackSince.set(workspace, since);
    const refusal = this.#state.refused[workspace] ?? { message: why, since };
    const notReady =
      this.#givenBack.size >= mostInRow
        ? `Jobs of ${mostInRow} workspaces in a row could not be done here: ${why}`
        : null;
    this.#state = {
      notReady: this.#state.notReady ?? notReady,
      refused: { ...this.#state.refused, [workspace]: refusal },
    };
  }
}
