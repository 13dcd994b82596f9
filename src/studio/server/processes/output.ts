import { StringDecoder } from 'node:string_decoder';
import type * as z from 'zod';
import { systemClock } from '../../../workspace/index.ts';
import type { ProcessEvent, ProcessResult } from '../../wire/processes.ts';
import type { Processes } from './processes.ts';

/** ms between two looks. */
const pace = 200;

/** What a process has said so far. */
export function resultOf(processes: Processes, id: string): ProcessResult {
  const process = processes.find(id);
  return {
    process,
    result: parsed(processes.output(id, 'stdout').toString()),
    messages: processes.output(id, 'stderr').toString(),
  };
}

/** What a command has printed under --json, as far as the schema names it; null before it has, and where it printed none. */
export function printed<T>(processes: Processes, id: string, schema: z.ZodType<T>): T | null {
  const text = processes.output(id, 'stdout').toString();
  return text.trim() === '' ? null : schema.parse(JSON.parse(text));
}

/** The messages of a process as they come, from the first on, and its end. */
export async function* followOutput(
  processes: Processes,
  id: string,
  gone: AbortSignal,
): AsyncGenerator<ProcessEvent> {
  const decoder = new StringDecoder('utf8');
  for (let from = 0; !gone.aborted; ) {
    // Before its last words are read: what comes after it has ended is nothing.
    const process = processes.find(id);
    const bytes = processes.output(id, 'stderr', from);
    from += bytes.length;
    const text = decoder.write(bytes);
    if (text !== '') yield { kind: 'messages', text };
    if (process.state === 'ended') {
      yield { kind: 'ended', process };
      return;
    }
    await systemClock.sleep(pace, gone);
  }
}

/** The one value that a command prints under --json; half of one is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
