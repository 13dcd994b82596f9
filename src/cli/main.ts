#!/usr/bin/env node
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { typeCommandsAs } from '../model/command-line.ts';
import { commonOptions, type Start } from './command.ts';
import { commands } from './commands.ts';
import { keepHeapSmall } from './heap.ts';
import { programName, surroundings } from './invocation.ts';
import { misuse } from './misuse.ts';
import { exitCodeOfError, printError, Screen, survivesClosedPipes } from './screen.ts';
import { allowVariables } from './variables.ts';
import { version } from './version.ts';
import { checkWorkDir, shownWorkDir, workDirNote } from './work-dir.ts';

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
  .usage('$0 <command>\n\nLoads and unloads a customer-messaging workspace, and nothing twice.')
  .options(commonOptions)
  .middleware((flags) => {
    const allowEnv = flags.allowEnv?.split(',').map((name) => name.trim()) ?? [];
    allowVariables(allowEnv);
    typeCommandsAs({ program, words: args, workDir: shownWorkDir(flags.workDir), allowEnv });
    checkWorkDir(flags.workDir);
    const note = workDirNote(flags.workDir);
    if (note !== undefined) new Screen(flags).note(note);
  })
  .help('help', 'Show this')
  .version('version', 'Show the version', version)
  .group([...Object.keys(commonOptions), 'help', 'version'], 'Of every command:')
  .epilogue(
    'Exit codes: 0 done · 2 usage or unreadable input · 3 done, some rows need a look · 4 error budget or time limit · 5 token refused · 6 another run holds the lock · 7 workspace not reachable · 130, 143 interrupted; after 4 to 143, resume goes on.',
  )
  .strict()
  .demandCommand(1)
  .wrap(Math.min(widest, process.stdout.columns ?? widest))
  .exitProcess(false)
  .fail((message, error) => {
    // The parser's own errors are a person's slips; all others come from the command.
    if (error instanceof Error && error.name !== 'YError') throw error;
    throw misuse(message ?? error.message, args, commands);
  });
for (const { register } of commands) register(cli, start);

survivesClosedPipes(process.stdout, process.stderr);
try {
  await cli.parseAsync();
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOfError(error);
}
