import { helpLine, programTyped } from '../model/command-line.ts';
import { FatalError } from '../model/fatal-error.ts';
import { didYouMean } from '../model/nearest.ts';
import { type Command, commonOptions, nameOf } from './command.ts';

/** What is wrong with a command line, in one sentence, from what the parser says of it. */
export function misuse(message: string, args: readonly string[], commands: readonly Command[]): FatalError {
  const names = commands.map(nameOf);
  const words = args.filter((arg) => !arg.startsWith('-'));
  const command = commands.find((each) => words.includes(nameOf(each)));
  if (command !== undefined) {
    return refusal(explain(message, args, command), helpLine(nameOf(command)));
  }
  const next = helpLine();
  const [first] = args;
  if (first !== undefined && !first.startsWith('-')) {
    return refusal(`there is no command "${first}"${didYouMean(first, names)}`, next);
  }
  return refusal(
    valueMissing(message) ?? unknownFlag(args, commands) ?? `a command is missing: ${names.join(', ')}`,
    next,
  );
}

function refusal(sentence: string, next: string): FatalError {
  return new FatalError('usage', /[.?]$/.test(sentence) ? sentence : `${sentence}.`, { next });
}

function explain(message: string, args: readonly string[], command: Command): string {
  return (
    valueMissing(message) ??
    unknownFlag(args, [command]) ??
    wordTooMany(message, command) ??
    wordMissing(message, command) ??
    wrongChoice(message, command) ??
    message
  );
}

function valueMissing(message: string): string | undefined {
  const flag = /^Not enough arguments following: (\S+)/.exec(message)?.[1];
  return flag === undefined ? undefined : `--${flag} needs a value`;
}

function unknownFlag(args: readonly string[], commands: readonly Command[]): string | undefined {
  const flags = [...Object.keys(commonOptions), ...commands.flatMap(({ flags }) => flags), 'help', 'version'];
  for (const arg of args) {
    const name = /^-+(?:no-)?([^-=][^=]*)/.exec(arg)?.[1];
    if (name === undefined || flags.includes(name)) continue;
    const known = flags.map((flag) => `--${flag}`);
    const [command, ...others] = commands;
    const whose = command !== undefined && others.length === 0 ? ` for ${nameOf(command)}` : '';
    return `there is no flag ${arg.split('=', 1)[0]}${whose}${didYouMean(`--${name}`, known)}`;
  }
  return undefined;
}

function wordTooMany(message: string, command: Command): string | undefined {
  const [extra] = /^Unknown arguments?: (.*)$/s.exec(message)?.[1]?.split(', ') ?? [];
  return extra === undefined
    ? undefined
    : `"${extra}" is one word too many: the command is ${typed(command)}`;
}

function wordMissing(message: string, command: Command): string | undefined {
  return message.startsWith('Not enough non-option arguments')
    ? `something is missing: the command is ${typed(command)}`
    : undefined;
}

function wrongChoice(message: string, command: Command): string | undefined {
  const found = /Argument: (\S+), Given: "?(.*?)"?, Choices: (.*)/.exec(message);
  if (found === null) return undefined;
  const [, name = '', given = '', choices = ''] = found;
  const flag = command.flags.includes(name) ? `--${name}` : typed(command);
  const known = choices.split(', ').map((choice) => choice.replaceAll('"', ''));
  return `${flag} takes ${known.join(' or ')}, not "${given}"${didYouMean(given, known)}`;
}

/** A command as it is typed, with PIPELINE and the like in their places. */
function typed({ usage }: Command): string {
  return `${programTyped()} ${usage.replace(/<(\w+)>/, (_, word: string) => word.toUpperCase()).replace(/\[(\w+)\]/, (_, word: string) => `[${word.toUpperCase()}]`)}`;
}
