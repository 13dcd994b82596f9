/** The flags of a command line that select its workspace, work dir and source. */
export interface TargetFlags {
  /** `sandbox` or a base URL, if the command line names one. */
  readonly workspace?: string | undefined;
  /** The work dir, if it is not the default one. */
  readonly workDir?: string | undefined;
  /** The input given in place of the pipeline's own. */
  readonly source?: string | undefined;
}

/** A command of Longshore as data: its text depends on the shell, the work dir and the program. */
export type Command =
  /** The words of a command, followed by the flags of its target and by the work dir of the invocation. */
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly target?: TargetFlags }
  /** The words of a command, without any flags after them. */
  | { readonly kind: 'bare'; readonly words: readonly string[] }
  /** The command that this process runs, with more words after it. */
  | { readonly kind: 'same'; readonly more: readonly string[] }
  /** The help of a command, or of all. */
  | { readonly kind: 'help'; readonly command: string | undefined };

/** The next steps for the user: a text, with the commands to type in it. */
export type Hint = string | Command | readonly (string | Command)[];

/** Returns the command of these words, to be typed for the workspace, work dir and input of the current run. */
export type CommandFactory = (...words: readonly string[]) => Command;

/** The template tag of hints: returns its texts with the commands and hints inserted between them. */
export function hint(texts: TemplateStringsArray, ...values: readonly Hint[]): Hint {
  return texts.flatMap((text, n) => [text, ...values.slice(n, n + 1).flat()]);
}

/** Returns the command of these words, to be shown with the work dir of the invocation and no other target flags. */
export function toCommand(...words: readonly string[]): Command {
  return { kind: 'command', words };
}

/** Returns the command of these words, to be shown with the flags of this target. */
export function commandForTarget(target: TargetFlags, ...words: readonly string[]): Command {
  return { kind: 'command', words, target };
}

/** Returns the command of these words, to be shown without a work dir or any other flags. */
export function commandWithoutFlags(...words: readonly string[]): Command {
  return { kind: 'bare', words };
}

/** Returns the command that this process runs, with more words after it. */
export function currentCommand(...more: readonly string[]): Command {
  return { kind: 'same', more };
}

/** Returns the command that shows the help of a command, or of all. */
export function commandForHelp(command?: string): Command {
  return { kind: 'help', command };
}
