import { oneLine } from '../../model/escape-controls.ts';
import { commands } from '../commands.ts';
import { output } from '../output.ts';
import { complete } from './complete.ts';
import { here } from './surroundings.ts';

/** Prints what can follow, for a completion script: a value, a tab and a description in each line. */
export async function printCompletions(typed: readonly string[]): Promise<void> {
  const candidates = await complete(typed, commands, here).catch(() => {
    // Behind a Tab there is nobody to tell, and whatever is printed would be taken for a completion.
    return [];
  });
  const lines = candidates.map(({ value, description }) => `${value}\t${oneLine(description)}`);
  if (lines.length > 0) output.result(lines.join('\n'));
}
