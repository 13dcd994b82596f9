import type * as z from 'zod';
import { commandPathFields, type StudioCommand } from './command.ts';
import type { RequiredToken } from './problem.ts';
import { changeRoute, getRoute, questionRoute, streamRoute } from './route.ts';
import type { checkResultSchema } from './schemas/check-result.ts';
import type { commandTargetRequest, processRequest, startProcessRequest } from './schemas/processes.ts';
import type { emptyRequest } from './schemas/project.ts';

/** A command that the studio has started as a process, which outlives the studio. */
export interface StudioProcess {
  readonly id: string;
  readonly command: StudioCommand;
  /** The command line, as it is typed in a terminal. */
  readonly typed: string;
  readonly state: 'running' | 'ended';
  readonly pid: number | null;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Null while it runs, and if it ended while no studio was running. */
  readonly endedAt: string | null;
  /** Null while it runs, after a kill, and if it ended while no studio was running. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The id of the run that it started or continued; null until the journal has one. */
  readonly run: string | null;
}

/** A process with its output. */
export interface ProcessResult {
  readonly process: StudioProcess;
  /** The JSON that the command has printed; null until then, and if it prints none. */
  readonly result: unknown;
  /** The text of its standard error, with messages and next steps. */
  readonly messages: string;
}

/** An event of a process: new messages, and last its end. */
export type ProcessEvent =
  | { readonly kind: 'messages'; readonly text: string }
  | { readonly kind: 'ended'; readonly process: StudioProcess };

/** The workspace of a command, and the token that is missing. */
export interface CommandTarget {
  /** `sandbox`, a base URL, or null for a command that asks no workspace. */
  readonly workspace: string | null;
  /** Null if no token is needed, or the studio has it. */
  readonly needsToken: RequiredToken | null;
}

/** The output of `check --json`, as far as the page shows it. */
export type CheckResult = z.output<typeof checkResultSchema>;

export const processRoutes = {
  /** Returns the workspace of a command, and the token that has to be typed first. */
  commandTarget: questionRoute<z.output<typeof commandTargetRequest>, CommandTarget>('/api/target', {
    paths: inCommand(),
  }),
  startProcess: changeRoute<z.output<typeof startProcessRequest>, StudioProcess>('POST', '/api/processes', {
    paths: inCommand(),
  }),
  /** Newest first. */
  processes: getRoute<z.output<typeof emptyRequest>, { readonly processes: readonly StudioProcess[] }>(
    '/api/processes',
  ),
  process: getRoute<z.output<typeof processRequest>, ProcessResult>('/api/processes/:id'),
  /** The result of a check; null while it runs, and if it could not start. */
  checkResult: getRoute<z.output<typeof processRequest>, { readonly found: CheckResult | null }>(
    '/api/processes/:id/check',
  ),
  /** Asks the process to end as Ctrl-C does: it checkpoints first. */
  stopProcess: changeRoute<z.output<typeof processRequest>, StudioProcess>('POST', '/api/processes/:id/stop'),
  processOutput: streamRoute<z.output<typeof processRequest>, ProcessEvent>('/api/processes/:id/output'),
};

function inCommand(): readonly string[] {
  return commandPathFields.map((name) => `command.${name}`);
}
