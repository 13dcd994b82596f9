import type * as z from 'zod';
import { quoteForShell } from '../../model/shell-quoted.ts';
import type { commandSchema } from './schemas/command.ts';

/** A command that the studio can start, with its arguments and options. */
export type StudioCommand = z.output<typeof commandSchema>;

export type ImportCommand = Extract<StudioCommand, { command: 'import' }>;

/** The program and the global options of commands, as they are typed in the project folder. */
export interface CommandLineContext {
  /** The program, as it is typed before a command's name. */
  readonly program: string;
  /** The --work-dir of every command; undefined for the default one. */
  readonly workDir?: string | undefined;
  /** The environment variables that --allow-env names. */
  readonly allowEnv: readonly string[];
}

/** The fields that are positional arguments; every other field is an option. */
const arguments_ = ['pipeline', 'run', 'folder', 'file'];

/**
 * Returns the words that follow the program in a command line: the name of the command, its arguments and
 * options.
 */
export function buildCommandArguments(
  command: StudioCommand,
  { workDir, allowEnv }: Omit<CommandLineContext, 'program'>,
): readonly string[] {
  const entries = Object.entries<string | number | boolean | undefined>(command);
  const named = entries
    .filter(([key]) => arguments_.includes(key))
    .map(([, value]) => argument(String(value)));
  const flags = entries
    .filter(([key]) => key !== 'command' && !arguments_.includes(key))
    .flatMap(([key, value]) => flagWords(key, value));
  return [
    command.command,
    ...named,
    ...flags,
    // The page has asked for the confirmation already.
    ...(command.command === 'undo' && command.dryRun !== true ? ['--yes'] : []),
    ...(workDir === undefined ? [] : ['--work-dir', workDir]),
    ...(allowEnv.length === 0 ? [] : ['--allow-env', allowEnv.join(',')]),
  ];
}

/** Formats a command as it is typed in a terminal, in the project folder. */
export function formatStudioCommandLine(command: StudioCommand, typing: CommandLineContext): string {
  return [typing.program, ...buildCommandArguments(command, typing).map(quoteForShell)].join(' ');
}

/** Returns an argument, with the prefix `./` if it begins with a dash and would be taken for a flag. */
function argument(value: string): string {
  return value.startsWith('-') ? `./${value}` : value;
}

/** Returns a flag with its value, as one word if the value could be taken for a flag; empty for false and undefined. */
function flagWords(key: string, value: string | number | boolean | undefined): readonly string[] {
  if (value === undefined || value === false) return [];
  const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === true) return [flag];
  const text = String(value);
  return text.startsWith('-') ? [`${flag}=${text}`] : [flag, text];
}

/** The fields of commands that name a file or a folder of the project. */
export const commandPathFields = [
  'pipeline',
  'source',
  'approve',
  'plan',
  'out',
  'csv',
  'from',
  'decided',
  'folder',
  'file',
] as const;
