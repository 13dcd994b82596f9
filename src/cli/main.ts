#!/usr/bin/env node
import { exitCodeOfError, exitCodeWithoutResult } from '../runs/exit-code.ts';
import { keepHeapSmall } from './heap.ts';
import { leaveLostTerminals, output } from './output.ts';
import { runTyped } from './run-typed.ts';
import { printError } from './screen.ts';

keepHeapSmall();
leaveLostTerminals();
process.on('uncaughtException', (error) => {
  printError(error);
  process.exit(exitCodeOfError(error));
});
process.on('exit', (code) => {
  if (output.lost) process.exitCode = exitCodeWithoutResult(code);
});

process.exitCode = await runTyped(process.argv.slice(2));
