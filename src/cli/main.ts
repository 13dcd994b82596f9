#!/usr/bin/env node
import { exitCodeOfError, exitCodeWithoutResult } from '../runs/exit-code.ts';
import { completionFlag } from './completion/scripts.ts';
import { keepHeapSmall } from './heap.ts';
import { leaveLostTerminals, output } from './output.ts';
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

const [first, ...others] = process.argv.slice(2);
try {
  if (first === completionFlag) {
    const { printCompletions } = await import('./completion/print.ts');
    await printCompletions(others);
  } else {
    const { runCommandLine } = await import('./command-line.ts');
    process.exitCode = await runCommandLine(process.argv.slice(2));
  }
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOfError(error);
}
