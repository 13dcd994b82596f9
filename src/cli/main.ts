#!/usr/bin/env node
import { getErrorExitCode, getLostOutputExitCode } from '../app/run/exit-code.ts';
import { closeHungUpTerminalsOnExit, output } from '../app/run/terminal/output.ts';
import { printError } from '../app/run/terminal/screen.ts';
import { readUnparsedInvocation } from './invocation.ts';
import { runProgram } from './run-typed.ts';

closeHungUpTerminalsOnExit();
const typed = process.argv.slice(2);
process.on('uncaughtException', (error) => {
  printError(error, readUnparsedInvocation(typed));
  process.exit(getErrorExitCode(error));
});
process.on('exit', (code) => {
  if (output.lost) process.exitCode = getLostOutputExitCode(code);
});

// Node ends a process that waits for nothing, whether or not its work is done.
const onIdle = (): void => {
  const error = new Error('The command stopped before it was done: nothing was left that it could wait for.');
  printError(error, readUnparsedInvocation(typed));
  process.exitCode = getErrorExitCode(error);
};
process.once('beforeExit', onIdle);

void runProgram(typed).then((code) => {
  process.off('beforeExit', onIdle);
  process.exitCode = code;
});
