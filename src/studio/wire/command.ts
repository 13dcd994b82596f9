import type * as z from 'zod';
import { shellQuoted } from '../../model/shell-quoted.ts';
import type { command } from './schemas/command.ts';

/** A command of ours with its options, as a button starts it. */
export type Command = z.output<typeof command>;

/** How commands are typed in the project folder. */
export interface CommandTyping {
  /** What is typed before a command's name. */
  readonly program: string;
  /** What every command needs to find this work dir; undefined where it finds it without. */
  readonly workDir?: string | undefined;
  /** The variables that --allow-env names. */
  readonly allowEnv: readonly string[];
}

/** What follows the name of the command; each other field is an option. */
const arguments_ = ['pipeline', 'run', 'folder', 'file'];

/** The words of a command, as they are typed after the program. */
export function commandWords(
  command: Command,
  { workDir, allowEnv }: Omit<CommandTyping, 'program'>,
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
    // The page has asked what a terminal would be asked.
    ...(command.command === 'undo' && command.dryRun !== true ? ['--yes'] : []),
    ...(workDir === undefined ? [] : ['--work-dir', workDir]),
    ...(allowEnv.length === 0 ? [] : ['--allow-env', allowEnv.join(',')]),
  ];
}

/** The command as somebody types it in a terminal, in the project folder. */
export function typedCommand(command: Command, typing: CommandTyping): string {
  return [typing.program, ...commandWords(command, typing).map(shellQuoted)].join(' ');
}

/** A file whose name begins with a dash would be taken for a flag. */
function argument(value: string): string {
  return value.startsWith('-') ? `./${value}` : value;
}

/** One word for a flag and its value where the value could be taken for a flag. */
function flagWords(key: string, value: string | number | boolean | undefined): readonly string[] {
  if (value === undefined || value === false) return [];
  const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === true) return [flag];
  const text = String(value);
  return text.startsWith('-') ? [`${flag}=${text}`] : [flag, text];
}

/** The fields of commands that name a file or a folder of the project. */
export const commandPaths = [
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
