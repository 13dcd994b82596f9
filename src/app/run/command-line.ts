import type { Command, Hint, TargetFlags } from '../../model/command.ts';
import type { FatalError } from '../../model/fatal-error.ts';
import { quoteForShell } from '../../model/shell-quoted.ts';

/**
 * How the commands that messages suggest are typed; created once by each command, fleet job, studio or
 * library call.
 */
export interface Invocation {
  /** The text before a command's name, quoted for a shell. */
  readonly program: string;
  /** The words of the current command after the program; a command of kind `same` repeats them. */
  readonly words: readonly string[];
  /** The value of --work-dir; undefined where commands find their work dir without it. */
  readonly workDir?: string | undefined;
  /** The variables that --allow-env names: pipelines may read these besides LONGSHORE_*. */
  readonly allowEnv: readonly string[];
  /**
   * Returns the words to suggest in place of a command that works only on the machine of this process;
   * undefined if it needs no replacement.
   */
  readonly instead?: ((words: readonly string[]) => readonly string[] | undefined) | undefined;
}

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

/** Returns a command line in the form of the invocation, each word quoted where a shell needs it. */
export function formatCommandLine(
  words: readonly string[],
  where: TargetFlags,
  invocation: Invocation,
): string {
  const { program, allowEnv, instead } = invocation;
  const { workspace, workDir = invocation.workDir, source } = where;
  const other = instead?.(words);
  if (other !== undefined) return [program, ...other.map(quoteForShell)].join(' ');
  const flags = [
    ...(source !== undefined && takesSource(words) ? ['--source', source] : []),
    ...(workspace === undefined ? [] : ['--workspace', workspace]),
    ...(workDir === undefined ? [] : ['--work-dir', workDir]),
    ...(allowEnv.length > 0 && readsPipelines.has(words[0] ?? '') ? ['--allow-env', allowEnv.join(',')] : []),
  ];
  return [program, ...[...words, ...flags].map(quoteForShell)].join(' ');
}

/** Returns true for commands that take a source; a run stores its source, so commands about runs need none. */
function takesSource([verb]: readonly string[]): boolean {
  return verb === 'import' || verb === 'check';
}

/** Returns the next step of an error as text; undefined where the error has none. */
export function formatErrorNextStep(
  { next }: Pick<FatalError, 'next'>,
  invocation: Invocation,
): string | undefined {
  return next === undefined ? undefined : formatHint(next, invocation);
}

/** Returns a hint as text, with its commands in the form of the invocation. */
export function formatHint(hint: Hint, invocation: Invocation): string {
  return [hint]
    .flat()
    .map((part) => (typeof part === 'string' ? part : commandText(part, invocation)))
    .join('');
}

function commandText(command: Command, invocation: Invocation): string {
  switch (command.kind) {
    case 'command':
      return formatCommandLine(command.words, command.target ?? {}, invocation);
    case 'bare':
      return [invocation.program, ...command.words.map(quoteForShell)].join(' ');
    case 'same':
      return [invocation.program, ...[...invocation.words, ...command.more].map(quoteForShell)].join(' ');
    case 'help':
      return [invocation.program, ...(command.command === undefined ? [] : [command.command]), '--help'].join(
        ' ',
      );
  }
}
