/** The flags of a command line that select its workspace, work dir and source. */
export interface TargetFlags {
  /** `sandbox` or a base URL, where the command line named it. */
  readonly workspace?: string | undefined;
  /** The work dir, where it is not the usual one. */
  readonly workDir?: string | undefined;
  /** The input given in place of the pipeline's own. */
  readonly source?: string | undefined;
}

/** A command of Longshore as data: its text depends on the shell, the work dir and the program. */
export type Command =
  /** A command by its words, with the flags that belong to it. */
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly target?: TargetFlags }
  /** A command by its words alone: it takes none of the flags. */
  | { readonly kind: 'bare'; readonly words: readonly string[] }
  /** The command that this process runs, with more words after it. */
  | { readonly kind: 'same'; readonly more: readonly string[] }
  /** The help of a command. */
  | { readonly kind: 'help'; readonly command: string };

/** What to do next: a text with the commands to type in it. */
export type Hint = string | readonly (string | Command)[];

/** Returns the hint with these commands between its texts. */
export function hint(texts: TemplateStringsArray, ...values: readonly (string | Command)[]): Hint {
  return texts.flatMap((text, n) => [text, ...values.slice(n, n + 1)]);
}

/** Returns a command by its words. */
export function command(...words: readonly string[]): Command {
  return { kind: 'command', words };
}

/** Returns a command that takes no work dir and no other flags. */
export function bareCommand(...words: readonly string[]): Command {
  return { kind: 'bare', words };
}

/** Returns the command that this process runs, with more words after it. */
export function sameCommand(...more: readonly string[]): Command {
  return { kind: 'same', more };
}
