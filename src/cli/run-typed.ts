import { getErrorExitCode } from '../app/run/exit-code.ts';
import { printError } from '../app/run/terminal/screen.ts';
import { completionFlag } from './completion/scripts.ts';
import { readUnparsedInvocation } from './invocation.ts';

/**
 * Runs the command that was typed after the program's name, and prints the error that ends it; returns the exit code.
 */
export async function runProgram(typed: readonly string[]): Promise<number> {
  const [first, ...others] = typed;
  try {
    if (first === completionFlag) {
      const { printCompletions } = await import('./completion/surroundings.ts');
      await printCompletions(others);
      return 0;
    }
    const { runCommandLine } = await import('./command-line.ts');
    return await runCommandLine(typed);
  } catch (error) {
    printError(error, readUnparsedInvocation(typed));
    return getErrorExitCode(error);
  }
}
