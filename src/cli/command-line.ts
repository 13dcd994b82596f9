import yargs, { type ArgumentsCamelCase, type Argv, type InferredOptionTypes } from 'yargs';
import { formatCommandLine } from '../app/run/command-line.ts';
import { getErrorExitCode } from '../app/run/exit-code.ts';
import { output } from '../app/run/terminal/output.ts';
import { printError, printWarning, Screen } from '../app/run/terminal/screen.ts';
import {
  assertTrustedWorkDir,
  formatWorkDirNote,
  resetWorkDirWarnings,
  toWorkDirArgument,
} from '../app/run/work-dir.ts';
import { packageVersion } from '../storage/package.ts';
import { type CommandCall, getCommandName, globalOptions } from './command.ts';
import { commands } from './commands.ts';
import { exitCodeExplanations } from './explain/exit-codes.ts';
import { readUnparsedInvocation } from './invocation.ts';
import { createUnknownCommandError, toUsageError } from './usage-error.ts';

const widest = 110;

/**
 * Runs a command line, given as its words, and prints an error that ends the command; returns the exit code. Throws a
 * usage error for a command line that the parser refuses.
 */
export async function runCommandLine(typed: readonly string[]): Promise<number> {
  resetWorkDirWarnings();
  const unparsed = readUnparsedInvocation(typed);
  const { program } = unparsed;
  const args = withoutHelpCommand(typed);
  let chosen: CommandCall | undefined;
  const cli = yargs()
    .scriptName(program)
    .locale('en')
    .parserConfiguration({ 'duplicate-arguments-array': false })
    .usage("$0 <command>\n\nImports and exports a workspace's contacts without losing or doubling any.")
    .options(globalOptions)
    .help('help', 'Show help')
    .version('version', 'Show the version', packageVersion)
    .alias({ h: 'help', V: 'version' })
    .group([...Object.keys(globalOptions), 'help', 'version'], 'Global options:')
    .epilogue(
      `Exit codes: ${exitCodeExplanations.map(({ code, brief }) => `${code} ${brief}`).join(' · ')}; after 4 to 143, resume continues. More: ${formatCommandLine(['explain', 'CODE'], {}, unparsed)}`,
    )
    .strict()
    .demandCommand(1)
    .wrap(Math.min(widest, output.columns ?? widest))
    .exitProcess(false)
    .middleware((flags) => {
      if (chosen !== undefined) throw new ParsedCommand(flags);
    })
    .fail((message, error) => {
      // Errors of the parser are usage errors; all others come from the command.
      if (error instanceof Error && error.name !== 'YError') throw error;
      throw toUsageError(message ?? error.message, args, commands, program);
    });
  for (const { register } of commands)
    register(cli, (call) => {
      chosen = call;
    });
  const flags = await parse(cli, args);
  if (chosen === undefined || flags === undefined) return 0;
  const allowEnv = flags.allowEnv?.split(',').map((name) => name.trim()) ?? [];
  const invocation = { ...unparsed, workDir: toWorkDirArgument(flags.workDir), allowEnv };
  try {
    assertTrustedWorkDir(flags.workDir, printWarning);
    const screen = new Screen(flags);
    const note = formatWorkDirNote(flags.workDir);
    if (note !== undefined) screen.note(note);
    return await chosen(screen, invocation);
  } catch (error) {
    printError(error, invocation);
    return getErrorExitCode(error);
  }
}

type Flags = ArgumentsCamelCase<InferredOptionTypes<typeof globalOptions>>;

/**
 * The flags of a command that was typed. They are thrown out of the parser, which would go on to lay out the help of
 * the command: that takes a tenth of the time until an import sends its first request.
 */
class ParsedCommand extends Error {
  readonly flags: Flags;

  constructor(flags: Flags) {
    super('a command was typed');
    this.flags = flags;
  }
}

/** Returns the flags of the command that was typed; prints the help or the version instead where one was asked for. */
async function parse(cli: Argv, args: readonly string[]): Promise<Flags | undefined> {
  try {
    // With a callback, the parser passes its texts to the callback and does not print them.
    await cli.parseAsync([...args], {}, (_error, _flags, text) => {
      if (text !== '') output.result(text);
    });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof ParsedCommand) return thrown.flags;
    throw thrown;
  }
}

/**
 * Returns the words `help import` as `import --help`, and words without `help` unchanged; throws a FatalError (usage)
 * for help on an unknown command.
 */
function withoutHelpCommand(typed: readonly string[]): readonly string[] {
  const [first, command, ...others] = typed;
  if (first !== 'help') return typed;
  if (command === undefined || command.startsWith('-')) return ['--help'];
  if (!commands.some((each) => getCommandName(each) === command))
    throw createUnknownCommandError(command, commands);
  return command === 'help' ? ['--help'] : [command, '--help', ...others];
}
