import type { FleetJob } from '../queue/job.ts';
import type { Verdict } from './verdict.ts';

/** What a worker counts, for Prometheus. */
export class Figures {
  readonly #ended = new Map<string, number>();
  leasesLost = 0;
  restored = 0;

  ended({ kind }: Pick<FleetJob, 'kind'>, verdict: Verdict): void {
    const labels = `kind="${kind}",result="${verdict}"`;
    this.#ended.set(labels, (this.#ended.get(labels) ?? 0) + 1);
  }

  /** The text that Prometheus reads. */
  text(now: WorkerNow): string {
    const lines = [
      ...metric('jobs_running', 'gauge', 'Jobs at work in this worker.', [['', now.jobs]]),
      ...metric('jobs_most', 'gauge', 'Jobs that this worker does at once.', [['', now.concurrency]]),
      ...metric('jobs_ended_total', 'counter', 'Jobs that ended, by what became of them.', [...this.#ended]),
      ...metric('leases_lost_total', 'counter', 'Leases that another machine may have taken.', [
        ['', this.leasesLost],
      ]),
      ...metric('draining', 'gauge', '1 while this worker takes no more jobs.', [['', now.draining ? 1 : 0]]),
      ...metric('ready', 'gauge', '1 while this machine takes jobs.', [['', now.notReady === null ? 1 : 0]]),
      ...metric('workspaces_refused', 'gauge', 'Workspaces whose jobs this machine cannot do.', [
        ['', now.refused],
      ]),
      ...metric('database_up', 'gauge', '1 while the database answers.', [['', now.database ? 1 : 0]]),
    ];
    return `${lines.join('\n')}\n`;
  }
}

/** How a worker is now. */
export interface WorkerNow {
  readonly name: string;
  readonly jobs: number;
  readonly concurrency: number;
  readonly draining: boolean;
  /** Why this machine takes no job at all; null where it takes some. */
  readonly notReady: string | null;
  /** Workspaces whose jobs it cannot do. */
  readonly refused: number;
  /** Whether the database answered when it was asked last. */
  readonly database: boolean;
}

function metric(
  name: string,
  type: 'gauge' | 'counter',
  help: string,
  values: readonly (readonly [labels: string, value: number])[],
): readonly string[] {
  const full = `longshore_worker_${name}`;
  const samples = values.map(([labels, value]) => `${full}${labels === '' ? '' : `{${labels}}`} ${value}`);
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...samples];
}
