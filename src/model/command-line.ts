/** How commands are typed in this process; one for all, since every hint is for the same person in the same shell. */
export interface Invocation {
  /** What is typed before a command's name, as a shell takes it. */
  readonly program: string;
  /** What was typed after the program. */
  readonly words: readonly string[];
  /** The value of --work-dir; undefined where a command finds its work dir without. */
  readonly workDir?: string | undefined;
  /** The variables that --allow-env names. */
  readonly allowEnv: readonly string[];
  /** What is typed instead of a command that only the machine of this process could do; undefined where nothing is. */
  readonly instead?: ((words: readonly string[]) => readonly string[] | undefined) | undefined;
}

/** The flags of a command line that say where it works. */
export interface TargetFlags {
  /** `sandbox` or a base URL, where the command line named it. */
  readonly workspace?: string | undefined;
  /** Where it is not the usual one. */
  readonly workDir?: string | undefined;
  /** The input that was named in place of the pipeline's own. */
  readonly source?: string | undefined;
}

let current: Invocation = { program: 'npx longshore', words: [], allowEnv: [] };

/** Sets how commands are typed here, once, before anything is printed. */
export function typeCommandsAs(invocation: Invocation): void {
  current = invocation;
}

/** A command as it is typed here, with the flags that belong to it. */
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

/** A command line as it is typed here, each word quoted where a shell needs it. */
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

/** A run remembers its source: what is about a run needs none. */
function takesSource([verb]: readonly string[]): boolean {
  return verb === 'import' || verb === 'check';
}

/** What is typed before a command's name. */
export function programTyped(): string {
  return current.program;
}

/** The command that this process runs, with more words behind it. */
export function sameCommand(...more: readonly string[]): string {
  return [current.program, ...[...current.words, ...more].map(shellQuoted)].join(' ');
}

/** What shows the help of a command, or of all. */
export function helpLine(command?: string): string {
  return [current.program, ...(command === undefined ? [] : [command]), '--help'].join(' ');
}

/** A word as a POSIX shell takes it for one word. */
export function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
