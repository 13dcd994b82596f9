import { commandForHelp, type Command as TypedCommand } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';
import { formatDidYouMean } from '../model/nearest.ts';
import { type CommandDefinition, getCommandName, globalOptions } from './command.ts';

/** Converts the parser's message about an invalid command line into a usage error of one sentence. */
export function toUsageError(
  message: string,
  args: readonly string[],
  commands: readonly CommandDefinition[],
  program: string,
): FatalError {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const command = commands.find((each) => words.includes(getCommandName(each)));
  const [first] = args;
  if (command === undefined && first !== undefined && !first.startsWith('-')) {
    return createUnknownCommandError(first, commands);
  }
  const sentence =
    valueMissing(message) ??
    unknownFlag(args, command === undefined ? commands : [command]) ??
    (command === undefined ? 'No command given' : wordOrChoice(message, command, program));
  return refusal(sentence, commandForHelp(command && getCommandName(command)));
}

/** Returns the error for a word that is not a command. */
export function createUnknownCommandError(word: string, commands: readonly CommandDefinition[]): FatalError {
  return refusal(
    `Unknown command "${word}"${formatDidYouMean(word, commands.map(getCommandName))}`,
    commandForHelp(),
  );
}

function refusal(sentence: string, next: TypedCommand): FatalError {
  const isWhole = /[.?]$/.test(sentence) || sentence.includes('Usage: ');
  return new FatalError('usage', isWhole ? sentence : `${sentence}.`, { next });
}

function wordOrChoice(message: string, command: CommandDefinition, program: string): string {
  const usage = typed(command, program);
  return (
    wordTooMany(message, usage) ??
    wordMissing(message, command, usage) ??
    wrongChoice(message, command, usage) ??
    message
  );
}

function valueMissing(message: string): string | undefined {
  const flag = /^Not enough arguments following: (\S+)/.exec(message)?.[1];
  return flag === undefined ? undefined : `--${flag} needs a value`;
}

/** The flags of the parser itself: `--help` and `--version`, and their letters. */
const parserFlags = ['help', 'version', 'h', 'V'];

function unknownFlag(args: readonly string[], commands: readonly CommandDefinition[]): string | undefined {
  const own = commands.flatMap(({ options }) => Object.keys(options));
  const flags = [...Object.keys(globalOptions), ...own, ...parserFlags];
  for (const arg of args) {
    const name = /^-+(?:no-)?([^-=][^=]*)/.exec(arg)?.[1];
    if (name === undefined || flags.includes(name)) continue;
    const known = flags.map((flag) => `--${flag}`);
    const [command, ...others] = commands;
    const whose = command !== undefined && others.length === 0 ? ` of ${getCommandName(command)}` : '';
    const meant = name === 'phase' ? '; did you mean "--deferred"?' : formatDidYouMean(`--${name}`, known);
    return `Unknown option ${arg.split('=', 1)[0]}${whose}${meant}`;
  }
  return undefined;
}

function wordTooMany(message: string, usage: string): string | undefined {
  const [extra] = /^Unknown arguments?: (.*)$/s.exec(message)?.[1]?.split(', ') ?? [];
  return extra === undefined ? undefined : `Unexpected argument "${extra}". Usage: ${usage}`;
}

function wordMissing(message: string, command: CommandDefinition, usage: string): string | undefined {
  if (!message.startsWith('Not enough non-option arguments')) return undefined;
  return `Missing argument ${command.argument?.[0].toUpperCase() ?? ''}. Usage: ${usage}`;
}

function wrongChoice(message: string, command: CommandDefinition, usage: string): string | undefined {
  const found = /Argument: (\S+), Given: "?(.*?)"?, Choices: (.*)/.exec(message);
  if (found === null) return undefined;
  const [, name = '', given = '', choices = ''] = found;
  const flag = name in command.options || name in globalOptions ? `--${name}` : usage;
  const known = choices.split(', ').map((choice) => choice.replaceAll('"', ''));
  return `${flag} takes ${known.join(' or ')}, not "${given}"${formatDidYouMean(given, known)}`;
}

/** Returns the usage of a command with its arguments in capitals, such as PIPELINE. */
function typed({ usage }: CommandDefinition, program: string): string {
  return `${program} ${usage
    .replace(/<(\w+)>/, (_, word: string) => word.toUpperCase())
    .replace(/\[(\w+)[.]*\]/g, (_, word: string) => `[${word.toUpperCase()}]`)}`;
}
