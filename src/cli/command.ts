import type { Argv, InferredOptionTypes, Options } from 'yargs';
import { usualWorkDir } from '../wiring/work-dir.ts';
import type { Screen, ScreenFlags } from './screen.ts';

/** Flags that every command takes. */
export const commonOptions = {
  workspace: {
    type: 'string',
    describe: 'Target workspace: "sandbox" (a local one in the work dir) or a base URL',
    requiresArg: true,
  },
  'work-dir': {
    type: 'string',
    get default() {
      return usualWorkDir();
    },
    defaultDescription: 'LONGSHORE_WORK_DIR, or .longshore here or in a parent folder',
    describe: 'Folder of the journal, the runs and the sandbox',
    requiresArg: true,
  },
  'allow-env': {
    type: 'string',
    describe: 'Environment variables, comma-separated, that a pipeline may read besides LONGSHORE_*',
    requiresArg: true,
  },
  json: { type: 'boolean', default: false, describe: 'Print only the result, as JSON' },
  quiet: { type: 'boolean', default: false, describe: 'Print errors only' },
  progress: {
    choices: ['bar', 'plain', 'none'],
    requiresArg: true,
    describe: 'Show progress as a bar (on a terminal), as plain lines, or not at all',
  },
} as const satisfies Record<string, Options>;

export type CommonFlags = InferredOptionTypes<typeof commonOptions>;

/** Runs the one call of a command; what it returns is the exit code. */
export type Start = (flags: ScreenFlags, call: (screen: Screen) => Promise<number>) => Promise<void>;

/** A command: what is typed, its flags, and one call, which imports by itself what it needs. */
export interface Command {
  /** Its name and what follows it, as in `import <pipeline>`. */
  readonly usage: string;
  /** What it does, in a line of the help. */
  readonly summary: string;
  /** Its own flags. */
  readonly options: Readonly<Record<string, Options>>;
  /** What the word that follows its name can be, where that is known. */
  readonly choices?: readonly string[];
  readonly register: (cli: Argv<CommonFlags>, start: Start) => void;
}

/** The word that a command is called by. */
export function nameOf({ usage }: Command): string {
  return usage.split(' ', 1)[0] ?? usage;
}
