#!/usr/bin/env node
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { typeCommandsAs } from '../model/command-line.ts';
import { exitCodeOfError, exitCodeWithoutResult } from '../runs/exit-code.ts';
import { allowVariables } from '../wiring/variables.ts';
import { version } from '../wiring/version.ts';
import { checkWorkDir, shownWorkDir, workDirNote } from '../wiring/work-dir.ts';
import { commonOptions, type Start } from './command.ts';
import { commands } from './commands.ts';
import { keepHeapSmall } from './heap.ts';
import { programName, surroundings } from './invocation.ts';
import { misuse } from './misuse.ts';
import { leaveLostTerminals, output } from './output.ts';
import { printError, printWarning, Screen } from './screen.ts';

keepHeapSmall();

const args = hideBin(process.argv);
const program = programName(surroundings());
typeCommandsAs({ program, words: args, allowEnv: [] });
const widest = 110;

const start: Start = async (flags, call) => {
  process.exitCode = await call(new Screen(flags));
};

const cli = yargs(args)
  .scriptName(program)
  .locale('en')
  .parserConfiguration({ 'duplicate-arguments-array': false })
  .usage("$0 <command>\n\nImports and exports a workspace's contacts without losing or doubling any.")
  .options(commonOptions)
  .middleware((flags) => {
    const allowEnv = flags.allowEnv?.split(',').map((name) => name.trim()) ?? [];
    allowVariables(allowEnv);
    typeCommandsAs({ program, words: args, workDir: shownWorkDir(flags.workDir), allowEnv });
    checkWorkDir(flags.workDir, printWarning);
    const note = workDirNote(flags.workDir);
    if (note !== undefined) new Screen(flags).note(note);
  })
  .help('help', 'Show help')
  .version('version', 'Show the version', version)
  .alias({ h: 'help', V: 'version' })
  .group([...Object.keys(commonOptions), 'help', 'version'], 'Global options:')
  .epilogue(
    'Exit codes: 0 done · 2 usage or unreadable input · 3 done, some rows need a look · 4 error budget or time limit · 5 token refused · 6 another run holds the lock · 7 workspace not reachable · 130, 143 interrupted; after 4 to 143, resume goes on.',
  )
  .strict()
  .demandCommand(1)
  .wrap(Math.min(widest, output.columns ?? widest))
  .exitProcess(false)
  .fail((message, error) => {
    // The parser's own errors are a person's slips; all others come from the command.
    if (error instanceof Error && error.name !== 'YError') throw error;
    throw misuse(message ?? error.message, args, commands);
  });
for (const { register } of commands) register(cli, start);

leaveLostTerminals();
process.on('uncaughtException', (error) => {
  printError(error);
  process.exit(exitCodeOfError(error));
});
process.on('exit', (code) => {
  if (output.lost) process.exitCode = exitCodeWithoutResult(code);
});
try {
  // Given a callback, the parser hands over what it would print itself.
  await cli.parseAsync(args, {}, (_error, _flags, text) => {
    if (text !== '') output.result(text);
  });
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOfError(error);
}
