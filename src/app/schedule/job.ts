import { FatalError } from '../../model/fatal-error.ts';
import { quoteForShell } from '../../model/shell-quoted.ts';

/** A nightly run of a pipeline; all paths are absolute. */
export interface ScheduledJob {
  /** The pipeline's name. */
  readonly pipeline: string;
  readonly kind: 'import' | 'export';
  /** The pipeline file. */
  readonly file: string;
  readonly workDir: string;
  /** The value of `--workspace`. */
  readonly workspace: string | undefined;
  /** The folder that the exports are written into; undefined for an import. */
  readonly exports: string | undefined;
  readonly at: { readonly hour: number; readonly minute: number };
  /** An IANA zone. */
  readonly timezone: string;
  /** The time limit of the run (ms); undefined for none. */
  readonly timeout: number | undefined;
  /** The variables to name in --allow-env. */
  readonly allowEnv: readonly string[];
  /** The environment variables that the pipeline reads. */
  readonly variables: readonly JobEnvVariable[];
  readonly machine: ScheduleHost;
}

export interface JobEnvVariable {
  readonly name: string;
  /** Undefined if the value is secret or unknown. */
  readonly value: string | undefined;
  readonly required: boolean;
}

/** The machine that runs `schedule`; also the one that runs the job, except on Kubernetes. */
export interface ScheduleHost {
  /** The path of the running Node. */
  readonly node: string;
  /** The path of the compiled CLI script, which Node runs. */
  readonly main: string;
  /** The folder of the checkout. */
  readonly checkout: string;
  readonly user: string;
  readonly home: string;
  readonly timezone: string;
}

/** A file for a scheduler. */
export interface ScheduleFile {
  readonly name: string;
  readonly text: string;
}

/** The maximum length of a Kubernetes CronJob's name. */
const longestName = 52;

/** Returns the name of a job, valid for files, units and Kubernetes. */
export function createJobName({ pipeline }: ScheduledJob): string {
  const slug = pipeline
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return `longshore-${slug}`.slice(0, longestName).replace(/-+$/, '');
}

/** Returns the arguments of the command that runs the job. */
export function createJobArguments(
  { kind, workspace, allowEnv }: ScheduledJob,
  file: string,
  workDir: string,
): readonly string[] {
  return [
    ...[kind, file, '--work-dir', workDir],
    ...(workspace === undefined ? [] : ['--workspace', workspace]),
    ...(allowEnv.length === 0 ? [] : ['--allow-env', allowEnv.join(',')]),
  ];
}

/**
 * Throws a FatalError (usage) if a text of the job has a line break, a control character, or a backslash at the end of
 * a name: in a scheduler's file, a line would end there or continue on the next line.
 */
export function assertNoLineBreaks({ machine, variables, ...job }: ScheduledJob): void {
  const values = [...Object.values(job), ...Object.values(machine), ...variables.map(({ value }) => value)];
  const bad = values.find(
    (text) => typeof text === 'string' && (/[\p{Cc}\u2028\u2029]/u.test(text) || /\\(?:\/|$)/.test(text)),
  );
  if (bad === undefined) return;
  throw new FatalError(
    'usage',
    `${JSON.stringify(bad)} cannot be scheduled: it has a line break, a control character, or a backslash at the end of a name.`,
    {
      next: 'Rename it.',
    },
  );
}

/** The time (seconds) that a stopped run has to finish requests in flight, its checkpoint and an alert. */
export const stopGraceSeconds = 90;

/** Returns the scheduler's timeout (seconds): the run's own plus five minutes to stop and alert; undefined for none. */
export function computeTimeoutSeconds({ timeout }: ScheduledJob): number | undefined {
  return timeout === undefined ? undefined : Math.ceil(timeout / 1_000) + 300;
}

/** Creates the file of the job's environment variables; the user fills in the secrets. */
export function createEnvFile(job: ScheduledJob, place: string): ScheduleFile {
  const lines = job.variables.map(({ name, value, required }) => {
    const line = value === undefined ? `${name}=` : `${name}=${quoteForShell(value)}`;
    return required || value !== undefined ? line : `# ${line}`;
  });
  const head = `# ${place}, which no other user may read (chmod 600).`;
  return { name: `${createJobName(job)}.env`, text: `${[head, ...lines].join('\n')}\n` };
}
