import type * as z from 'zod';
import { commandPathFields, type StudioCommand } from './command.ts';
import type { RequiredToken } from './problem.ts';
import { defineChangeRoute, defineGetRoute, definePostQueryRoute, defineStreamRoute } from './route.ts';
import type { checkResultSchema } from './schemas/check-result.ts';
import type {
  commandTargetRequestSchema,
  processRequestSchema,
  startProcessRequestSchema,
} from './schemas/processes.ts';
import type { emptyRequestSchema } from './schemas/project.ts';

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
  /** Null while it runs, or if the studio that started it was closed when it ended. */
  readonly endedAt: string | null;
  /** Null while it runs, after it was killed, or if the studio that started it was closed when it ended. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The id of the run that it started or continued; null until the journal has it, and for a command without a run. */
  readonly run: string | null;
}

/** A process with its output. */
export interface ProcessOutput {
  readonly process: StudioProcess;
  /** The JSON that the command has printed; null until the JSON is complete, and for a command that prints none. */
  readonly result: unknown;
  /** The text of its standard error, with messages and next steps. */
  readonly messages: string;
}

/** An event of a process: new messages, or its end, which is the last event. */
export type ProcessOutputEvent =
  | { readonly kind: 'messages'; readonly text: string }
  | { readonly kind: 'ended'; readonly process: StudioProcess };

/** The workspace of a command, and the token that the user has to type for it. */
export interface CommandTarget {
  /** `sandbox`, a base URL, or null for a command that uses no workspace. */
  readonly workspace: string | null;
  /** Null if no token is needed, or the studio has it. */
  readonly needsToken: RequiredToken | null;
  /** True if the command needs a workspace, and none is set. */
  readonly needsWorkspace: boolean;
}

/** The part of the output of `check --json` that the page uses. */
export type CheckOutput = z.output<typeof checkResultSchema>;

export const processRoutes = {
  /** Returns the workspace of a command, and the token that has to be typed first. */
  commandTarget: definePostQueryRoute<z.output<typeof commandTargetRequestSchema>, CommandTarget>(
    '/api/target',
    {
      paths: inCommand(),
    },
  ),
  startProcess: defineChangeRoute<z.output<typeof startProcessRequestSchema>, StudioProcess>(
    'POST',
    '/api/processes',
    {
      paths: inCommand(),
    },
  ),
  /** Returns the 50 newest processes of this studio and earlier ones, newest first. */
  processes: defineGetRoute<
    z.output<typeof emptyRequestSchema>,
    { readonly processes: readonly StudioProcess[] }
  >('/api/processes'),
  process: defineGetRoute<z.output<typeof processRequestSchema>, ProcessOutput>('/api/processes/:id'),
  /** The result of a check; null until the command has printed it, and if it ended without one. */
  checkResult: defineGetRoute<z.output<typeof processRequestSchema>, { readonly found: CheckOutput | null }>(
    '/api/processes/:id/check',
  ),
  /** Asks the process to end as Ctrl-C does: it checkpoints first. */
  stopProcess: defineChangeRoute<z.output<typeof processRequestSchema>, StudioProcess>(
    'POST',
    '/api/processes/:id/stop',
  ),
  processOutput: defineStreamRoute<z.output<typeof processRequestSchema>, ProcessOutputEvent>(
    '/api/processes/:id/output',
  ),
};

function inCommand(): readonly string[] {
  return commandPathFields.map((name) => `command.${name}`);
}
