import type { Command, Hint, TargetFlags } from '../../model/command.ts';
import type { FatalError } from '../../model/fatal-error.ts';
import { shellQuoted } from '../../model/shell-quoted.ts';

/**
 * The form in which commands are typed in this process; one for all, since every hint is for the same person in the
 * same shell.
 */
export interface Invocation {
  /** The text before a command's name, quoted for a shell. */
  readonly program: string;
  /** The words after the program. */
  readonly words: readonly string[];
  /** The value of --work-dir; undefined where commands find their work dir without it. */
  readonly workDir?: string | undefined;
  /** The variables that --allow-env names. */
  readonly allowEnv: readonly string[];
  /**
   * Returns the replacement for a command that works only on the machine of this process; undefined where there is
   * none.
   */
  readonly instead?: ((words: readonly string[]) => readonly string[] | undefined) | undefined;
}

let current: Invocation = { program: 'npx longshore', words: [], allowEnv: [] };

/** Sets the form in which commands are typed here, once, before anything is printed. */
export function setInvocation(invocation: Invocation): void {
  current = invocation;
}

/** Returns a command as it is typed here, with the flags that belong to it. */
export type FormatCommand = (words: readonly string[]) => string;

const readsPipelines = new Set([
  'check',
  'plan',
  'import',
  'export',
  'resume',
  'retry',
  'schedule',
  'rehearse',
  'undo',
]);

/** Returns a command line as it is typed here, each word quoted where a shell needs it. */
export function formatCommandLine(
  words: readonly string[],
  where: TargetFlags = {},
  invocation: Invocation = current,
): string {
  const { program, allowEnv, instead } = invocation;
  const { workspace, workDir = invocation.workDir, source } = where;
  const other = instead?.(words);
  if (other !== undefined) return [program, ...other.map(shellQuoted)].join(' ');
  const flags = [
    ...(source !== undefined && takesSource(words) ? ['--source', source] : []),
    ...(workspace === undefined ? [] : ['--workspace', workspace]),
    ...(workDir === undefined ? [] : ['--work-dir', workDir]),
    ...(allowEnv.length > 0 && readsPipelines.has(words[0] ?? '') ? ['--allow-env', allowEnv.join(',')] : []),
  ];
  return [program, ...[...words, ...flags].map(shellQuoted)].join(' ');
}

/** Returns true for commands that take a source; a run stores its source, so commands about runs need none. */
function takesSource([verb]: readonly string[]): boolean {
  return verb === 'import' || verb === 'check';
}

/** Returns the text before a command's name. */
export function typedProgram(): string {
  return current.program;
}

/** Returns the command that this process runs, with more words after it. */
export function currentCommandLine(...more: readonly string[]): string {
  return commandText({ kind: 'same', more }, current);
}

/** Returns the command line that shows the help of a command, or of all. */
export function helpCommandLine(command?: string): string {
  return [current.program, ...(command === undefined ? [] : [command]), '--help'].join(' ');
}

/** Returns what to do next after an error, as it is typed here. */
export function nextStepText({ next }: Pick<FatalError, 'next'>): string | undefined {
  return next === undefined ? undefined : hintText(next);
}

/** Returns a hint as text, with its commands as they are typed here, or by whom `invocation` describes. */
export function hintText(hint: Hint, invocation: Invocation = current): string {
  if (typeof hint === 'string') return hint;
  return hint.map((part) => (typeof part === 'string' ? part : commandText(part, invocation))).join('');
}

function commandText(command: Command, invocation: Invocation): string {
  switch (command.kind) {
    case 'command':
      return formatCommandLine(command.words, command.target, invocation);
    case 'bare':
      return [invocation.program, ...command.words.map(shellQuoted)].join(' ');
    case 'same':
      return [invocation.program, ...[...invocation.words, ...command.more].map(shellQuoted)].join(' ');
    case 'help':
      return [invocation.program, command.command, '--help'].join(' ');
  }
}
