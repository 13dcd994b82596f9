import { createInterface } from 'node:readline/promises';
import { sameCommand } from '../model/command-line.ts';
import { FatalError } from '../model/fatal-error.ts';

/** Asks on the terminal, and goes on only for a typed yes. Throws a FatalError(usage) where nobody can be asked. */
export async function confirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new FatalError('usage', 'this needs a confirmation, and there is no terminal to ask on.', {
      next: `To confirm it beforehand: ${sameCommand('--yes')}`,
    });
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(`${question} Type yes: `)).trim().toLowerCase() === 'yes';
  } finally {
    lines.close();
  }
}
