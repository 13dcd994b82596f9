#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { getErrorExitCode, getLostOutputExitCode } from '../app/run/exit-code.ts';
import { closeHungUpTerminalsOnExit, output } from '../app/run/terminal/output.ts';
import { printError } from '../app/run/terminal/screen.ts';
import { readUnparsedInvocation } from './invocation.ts';
import { runProgram } from './run-typed.ts';

// A run has little live memory and much garbage. With this flag the heap grows by at most 40 % between two full
// collections; by default it may grow to four times its size.
setFlagsFromString('--heap-growing-percent=40');
closeHungUpTerminalsOnExit();
const typed = process.argv.slice(2);
process.on('uncaughtException', (error) => {
  printError(error, readUnparsedInvocation(typed));
  process.exit(getErrorExitCode(error));
});
process.on('exit', (code) => {
  if (output.lost) process.exitCode = getLostOutputExitCode(code);
});

process.exitCode = await runProgram(typed);
