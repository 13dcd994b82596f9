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

/** The flags of a command line that select its workspace, work dir and source. */
export interface TargetFlags {
  /** `sandbox` or a base URL, where the command line named it. */
  readonly workspace?: string | undefined;
  /** The work dir, where it is not the usual one. */
  readonly workDir?: string | undefined;
  /** The input given in place of the pipeline's own. */
  readonly source?: string | undefined;
}

let current: Invocation = { program: 'npx longshore', words: [], allowEnv: [] };

/** Sets the form in which commands are typed here, once, before anything is printed. */
export function typeCommandsAs(invocation: Invocation): void {
  current = invocation;
}

/** Returns a command as it is typed here, with the flags that belong to it. */
export type CommandText = (words: readonly string[]) => string;

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
export function commandLine(words: readonly string[], where: TargetFlags = {}): string {
  const { workspace, workDir = current.workDir, source } = where;
  const { program, allowEnv, instead } = current;
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
export function programTyped(): string {
  return current.program;
}

/** Returns the command that this process runs, with more words after it. */
export function sameCommand(...more: readonly string[]): string {
  return [current.program, ...[...current.words, ...more].map(shellQuoted)].join(' ');
}

/** Returns the command line that shows the help of a command, or of all. */
export function helpLine(command?: string): string {
  return [current.program, ...(command === undefined ? [] : [command]), '--help'].join(' ');
}

/** Returns a word quoted so that a POSIX shell takes it for one word. */
export function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
