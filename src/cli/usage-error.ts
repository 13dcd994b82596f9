import { helpCommand, type Command as TypedCommand } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';
import { didYouMean } from '../model/nearest.ts';
import { type Command, commandName, commonOptions } from './command.ts';

/** Returns the error for an invalid command line, in one sentence, from the message of the parser. */
export function toUsageError(
  message: string,
  args: readonly string[],
  commands: readonly Command[],
  program: string,
): FatalError {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const command = commands.find((each) => words.includes(commandName(each)));
  const [first] = args;
  if (command === undefined && first !== undefined && !first.startsWith('-')) {
    return unknownCommandError(first, commands);
  }
  const sentence =
    valueMissing(message) ??
    unknownFlag(args, command === undefined ? commands : [command]) ??
    (command === undefined ? 'No command given' : wordOrChoice(message, command, program));
  return refusal(sentence, helpCommand(command && commandName(command)));
}

/** Returns the error for a word that is no command. */
export function unknownCommandError(word: string, commands: readonly Command[]): FatalError {
  return refusal(`Unknown command "${word}"${didYouMean(word, commands.map(commandName))}`, helpCommand());
}

function refusal(sentence: string, next: TypedCommand): FatalError {
  const isWhole = /[.?]$/.test(sentence) || sentence.includes('Usage: ');
  return new FatalError('usage', isWhole ? sentence : `${sentence}.`, { next });
}

function wordOrChoice(message: string, command: Command, program: string): string {
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

function unknownFlag(args: readonly string[], commands: readonly Command[]): string | undefined {
  const own = commands.flatMap(({ options }) => Object.keys(options));
  const flags = [...Object.keys(commonOptions), ...own, ...parserFlags];
  for (const arg of args) {
    const name = /^-+(?:no-)?([^-=][^=]*)/.exec(arg)?.[1];
    if (name === undefined || flags.includes(name)) continue;
    const known = flags.map((flag) => `--${flag}`);
    const [command, ...others] = commands;
    const whose = command !== undefined && others.length === 0 ? ` of ${commandName(command)}` : '';
    const meant = name === 'phase' ? '; did you mean "--deferred"?' : didYouMean(`--${name}`, known);
    return `Unknown option ${arg.split('=', 1)[0]}${whose}${meant}`;
  }
  return undefined;
}

function wordTooMany(message: string, usage: string): string | undefined {
  const [extra] = /^Unknown arguments?: (.*)$/s.exec(message)?.[1]?.split(', ') ?? [];
  return extra === undefined ? undefined : `Unexpected argument "${extra}". Usage: ${usage}`;
}

function wordMissing(message: string, command: Command, usage: string): string | undefined {
  if (!message.startsWith('Not enough non-option arguments')) return undefined;
  return `Missing argument ${command.argument?.[0].toUpperCase() ?? ''}. Usage: ${usage}`;
}

function wrongChoice(message: string, command: Command, usage: string): string | undefined {
  const found = /Argument: (\S+), Given: "?(.*?)"?, Choices: (.*)/.exec(message);
  if (found === null) return undefined;
  const [, name = '', given = '', choices = ''] = found;
  const flag = name in command.options || name in commonOptions ? `--${name}` : usage;
  const known = choices.split(', ').map((choice) => choice.replaceAll('"', ''));
  return `${flag} takes ${known.join(' or ')}, not "${given}"${didYouMean(given, known)}`;
}

/** Returns the usage of a command with its arguments in capitals, such as PIPELINE. */
function typed({ usage }: Command, program: string): string {
  return `${program} ${usage
    .replace(/<(\w+)>/, (_, word: string) => word.toUpperCase())
    .replace(/\[(\w+)[.]*\]/g, (_, word: string) => `[${word.toUpperCase()}]`)}`;
}
