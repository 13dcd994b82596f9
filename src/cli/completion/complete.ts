import type { Options } from 'yargs';
import { type CommandDefinition, getCommandName, globalOptions } from '../command.ts';

/** A completion of the word that is being typed. */
export interface CompletionCandidate {
  readonly value: string;
  readonly description: string;
}

/** The sources of completions besides the command line; each is read only when it is needed. */
export interface CompletionSources {
  /** Returns the pipeline files that can complete `current`; only those of `kind`, if it is set. */
  pipelines(kind: 'import' | 'export' | undefined, current: string): readonly CompletionCandidate[];
  /** Returns the runs of a work dir that the command accepts as its argument, newest first. */
  runs(workDir: string, command: string): Promise<readonly CompletionCandidate[]>;
  codes(): Promise<readonly CompletionCandidate[]>;
}

const globalFlags: Readonly<Record<string, Options>> = {
  ...globalOptions,
  help: { type: 'boolean', describe: 'Show help' },
};

/** Returns the completions of the last word of a command line. */
export async function listCompletions(
  typed: readonly string[],
  commands: readonly CommandDefinition[],
  surroundings: CompletionSources,
): Promise<readonly CompletionCandidate[]> {
  const current = typed.at(-1) ?? '';
  const before = typed.slice(0, -1);
  const [name] = wordsOf(before, globalFlags);
  const command = commands.find((each) => getCommandName(each) === name);
  const flags = { ...globalFlags, ...command?.options };
  const words = wordsOf(before, flags).length;
  const possible = async (): Promise<readonly CompletionCandidate[]> => {
    const flag = optionOf(before.at(-1), flags);
    if (flag !== undefined && flag.option.type !== 'boolean') return valuesOf(flag.name, flag.option);
    if (current.startsWith('-')) return flagsLeft(before, flags);
    const named = commands.map((each) => ({ value: getCommandName(each), description: each.summary }));
    if (command === undefined) return words === 0 ? named : [];
    if (words > 1) return flagsLeft(before, flags);
    const [word, argument] = command.argument ?? [];
    switch (word) {
      case undefined:
        return flagsLeft(before, flags);
      case 'pipeline':
        return surroundings.pipelines(kindOf(command), current);
      case 'run':
        return await surroundings.runs(workDirOf(before), getCommandName(command));
      case 'code':
        return await surroundings.codes();
      case 'command':
        return named;
      default:
        return (argument?.choices ?? []).map((choice) => plain(String(choice)));
    }
  };
  return (await possible()).filter(({ value }) => value.startsWith(current));
}

function kindOf(command: CommandDefinition): 'import' | 'export' | undefined {
  const name = getCommandName(command);
  return name === 'import' || name === 'export' ? name : undefined;
}

function workDirOf(before: readonly string[]): string {
  const at = before.lastIndexOf('--work-dir');
  return (at < 0 ? undefined : before[at + 1]) ?? globalOptions['work-dir'].default;
}

function optionOf(
  word: string | undefined,
  flags: Readonly<Record<string, Options>>,
): { readonly name: string; readonly option: Options } | undefined {
  const name = /^--([^=]+)$/.exec(word ?? '')?.[1];
  const option = name === undefined ? undefined : flags[name];
  return name === undefined || option === undefined ? undefined : { name, option };
}

/** Returns the words of a command line that are neither flags nor their values. */
function wordsOf(typed: readonly string[], flags: Readonly<Record<string, Options>>): readonly string[] {
  return typed.filter((word, index) => {
    const flag = optionOf(typed[index - 1], flags);
    return !word.startsWith('-') && !(flag !== undefined && flag.option.type !== 'boolean');
  });
}

/** Returns the known values of a flag; if it has none, the shell completes the word by itself. */
function valuesOf(name: string, { choices }: Options): readonly CompletionCandidate[] {
  if (name === 'workspace') return [{ value: 'sandbox', description: 'a local workspace in the work dir' }];
  return (Array.isArray(choices) ? choices : []).map((choice) => plain(String(choice)));
}

function flagsLeft(
  before: readonly string[],
  flags: Readonly<Record<string, Options>>,
): readonly CompletionCandidate[] {
  return Object.entries(flags).flatMap(([name, { describe }]) => {
    const value = `--${name}`;
    return before.includes(value) ? [] : [{ value, description: describe ?? '' }];
  });
}

function plain(value: string): CompletionCandidate {
  return { value, description: '' };
}
