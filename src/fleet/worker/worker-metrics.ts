import { formatPrometheusText, type MetricSample } from '../../report/prometheus.ts';
import type { ActiveJob, JobVerdict } from '../queue/job.ts';

/** The counters of a worker's metrics. */
export class WorkerMetrics {
  readonly #ended = new Map<string, MetricSample>();
  leasesLost = 0;

  ended({ kind }: Pick<ActiveJob, 'kind'>, result: JobVerdict): void {
    const key = `${kind} ${result}`;
    this.#ended.set(key, [{ kind, result }, (this.#ended.get(key)?.[1] ?? 0) + 1]);
  }

  /** Returns the metrics in the text format of Prometheus. */
  text(now: WorkerState): string {
    return formatPrometheusText('longshore_worker', [
      ['jobs_running', 'Jobs at work in this worker.', now.jobs],
      ['jobs_most', 'Jobs that this worker does at once.', now.concurrency],
      ['jobs_ended_total', 'Jobs that ended, by what became of them.', [...this.#ended.values()]],
      ['leases_lost_total', 'Leases that another machine may have taken.', this.leasesLost],
      ['draining', '1 while this worker takes no more jobs.', now.draining ? 1 : 0],
      ['ready', '1 while this machine takes jobs.', now.notReady === null ? 1 : 0],
      ['workspaces_refused', 'Workspaces whose jobs this machine cannot do.', now.refused],
      ['database_up', '1 while the database answers.', now.database ? 1 : 0],
    ]);
  }
}

/** The current state of a worker, for probes and metrics. */
export interface WorkerState {
  readonly name: string;
  readonly jobs: number;
  readonly concurrency: number;
  readonly draining: boolean;
  /** The reason that this machine takes no jobs at all; null if it takes jobs. */
  readonly notReady: string | null;
  /** The number of workspaces whose jobs it refuses. */
  readonly refused: number;
  /** True if the last query of the database succeeded. */
  readonly database: boolean;
}
