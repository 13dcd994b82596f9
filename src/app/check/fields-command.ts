import { alignedLines } from '../../report/layout.ts';
import { type Typed, withCommands } from '../run/terminal/next-hint.ts';
import { printWarning, type Screen } from '../run/terminal/screen.ts';
import { onStopSignals } from '../run/terminal/stop-signals.ts';
import { readFields } from './read-fields.ts';

/** Prints the custom fields of the workspace of a pipeline; returns the exit code. */
export async function runFields(flags: Typed, screen: Screen): Promise<number> {
  const caller = { note: (text: string) => screen.note(text), warn: printWarning, stoppable: onStopSignals };
  const words = ['fields', flags.pipelineFile];
  const found = await readFields(flags.pipelineFile, flags, caller).catch(withCommands(flags, words));
  const fields = found.fields.map(({ name, dataType, allowedValues }) => ({
    ...{ name, dataType, allowedValues: allowedValues ?? [] },
  }));
  screen.result(() => textOf(fields), { workspace: found.workspace, fields });
  return 0;
}

function textOf(
  fields: readonly {
    readonly name: string;
    readonly dataType: string;
    readonly allowedValues: readonly string[];
  }[],
): string {
  if (fields.length === 0) return 'The workspace has no custom fields.';
  const lines = fields.map(({ name, dataType, allowedValues }) => [name, dataType, allowedValues.join(', ')]);
  return alignedLines([['field', 'type', 'values'], ...lines]).join('\n');
}
