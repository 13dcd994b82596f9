import { FatalError } from '../../model/fatal-error.ts';
import { shellQuoted } from '../../model/shell-quoted.ts';

/** A nightly run of a pipeline, as a scheduler has to know it; every path is absolute. */
export interface ScheduledJob {
  /** The pipeline's name. */
  readonly pipeline: string;
  readonly kind: 'import' | 'export';
  /** The pipeline file. */
  readonly file: string;
  readonly workDir: string;
  /** What `--workspace` said. */
  readonly workspace: string | undefined;
  /** The folder of an export, in which its exports appear. */
  readonly exports: string | undefined;
  readonly at: { readonly hour: number; readonly minute: number };
  /** An IANA zone. */
  readonly timezone: string;
  /** Milliseconds; undefined for none. */
  readonly timeout: number | undefined;
  /** Those of its variables that --allow-env has to name. */
  readonly allowEnv: readonly string[];
  /** Environment variables that it reads. */
  readonly variables: readonly JobVariable[];
  readonly machine: ScheduleMachine;
}

export interface JobVariable {
  readonly name: string;
  /** Undefined where it is secret or not known. */
  readonly value: string | undefined;
  readonly required: boolean;
}

/** The machine that prints the files, which is the one that they are for but for Kubernetes. */
export interface ScheduleMachine {
  /** The Node that runs this, and the command's main file. */
  readonly node: string;
  readonly main: string;
  /** The folder of the checkout. */
  readonly checkout: string;
  readonly user: string;
  readonly home: string;
  readonly timezone: string;
}

/** A file that a scheduler reads. */
export interface ScheduleFile {
  readonly name: string;
  readonly text: string;
}

/** Names of a Kubernetes CronJob have 52 characters at the most. */
const longestName = 52;

/** The job's name, as files, units and Kubernetes take it. */
export function jobName({ pipeline }: ScheduledJob): string {
  const slug = pipeline
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return `longshore-${slug}`.slice(0, longestName).replace(/-+$/, '');
}

/** What is typed behind the command's main file. */
export function jobWords(
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
 * Throws where a text of the job could not stay within its line: a line break would begin a line of its own, which a
 * scheduler obeys, and so would a backslash at the end of one.
 */
export function assertOneLine({ machine, variables, ...job }: ScheduledJob): void {
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

/** What is left of a run once it was told to stop: the requests on the wire, the checkpoint, an alert. */
export const graceSeconds = 90;

/** Beyond its own limit a run needs some time to stop, and to tell somebody. */
export function stopAfterSeconds({ timeout }: ScheduledJob): number | undefined {
  return timeout === undefined ? undefined : Math.ceil(timeout / 1_000) + 300;
}

/** The file with the job's variables, whose secrets somebody has to fill in. */
export function variablesFile(job: ScheduledJob, place: string): ScheduleFile {
  const lines = job.variables.map(({ name, value, required }) => {
    const line = value === undefined ? `${name}=` : `${name}=${shellQuoted(value)}`;
    return required || value !== undefined ? line : `# ${line}`;
  });
  const head = `# ${place}, which nobody else may read (chmod 600).`;
  return { name: `${jobName(job)}.env`, text: `${[head, ...lines].join('\n')}\n` };
}
