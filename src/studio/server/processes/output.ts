import { StringDecoder } from 'node:string_decoder';
import type * as z from 'zod';
import { systemClock } from '../../../workspace/index.ts';
import type { ProcessOutput, ProcessOutputEvent } from '../../wire/processes.ts';
import type { StudioProcesses } from './processes.ts';

/** The time between two reads of the messages (ms). */
const pace = 200;

/** Returns a process with the output that it has written until now. */
export function readProcessOutput(processes: StudioProcesses, id: string): ProcessOutput {
  const process = processes.find(id);
  return {
    process,
    result: parsed(processes.output(id, 'stdout').toString()),
    messages: processes.output(id, 'stderr').toString(),
  };
}

/**
 * Returns the JSON that a command has printed, parsed with a schema; null if it has printed nothing. Throws
 * if the JSON is incomplete or does not fit the schema.
 */
export function readPrintedJson<T>(processes: StudioProcesses, id: string, schema: z.ZodType<T>): T | null {
  const text = processes.output(id, 'stdout').toString();
  return text.trim() === '' ? null : schema.parse(JSON.parse(text));
}

/** Yields the messages of a process as they are written, and its end. */
export async function* followProcessOutput(
  processes: StudioProcesses,
  id: string,
  gone: AbortSignal,
): AsyncGenerator<ProcessOutputEvent> {
  const decoder = new StringDecoder('utf8');
  for (let from = 0; !gone.aborted; ) {
    // The state is read first: if it is `ended`, the messages read after it are complete.
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

/** Parses the output of a command; null for incomplete JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
