import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { localProcessProbe } from '../../../report/liveness.ts';
import { writeFileAtomically } from '../../../report/whole-file.ts';
import { tryParseJson } from '../../../storage/json.ts';
import { commandSchema } from '../../wire/schemas/command.ts';

/** The schema of a process's record in its folder of the work dir, which later studios read. */
const record = z.object({
  id: z.string(),
  command: commandSchema,
  typed: z.string(),
  /** Null until the process has started. */
  pid: z.int().nullable(),
  /** The start time of the process, in its system's format. */
  birth: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
});

export type ProcessRecord = z.output<typeof record>;

const mostListed = 50;

export async function writeProcessRecord(folder: string, value: ProcessRecord): Promise<void> {
  await writeFileAtomically(join(folder, 'process.json'), [`${JSON.stringify(value, undefined, 2)}\n`]);
}

/** Returns the 50 newest records, newest first, without those that are missing or of another format. */
export function readProcessRecords(folder: string): readonly ProcessRecord[] {
  return namesIn(folder)
    .sort()
    .reverse()
    .slice(0, mostListed)
    .flatMap((id) => readProcessRecord(folder, id) ?? []);
}

export function readProcessRecord(folder: string, id: string): ProcessRecord | undefined {
  try {
    return tryParseJson(readFileSync(join(folder, id, 'process.json'), 'utf8'), record);
  } catch {
    // The record is not written yet, or forget or prune has removed it.
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No command was started yet.
    return [];
  }
}

/**
 * The indexes of fields in /proc/PID/stat, counted after the program name, which may contain blanks and
 * brackets.
 */
const state = 0;
const startTime = 19;

/**
 * Returns the start time of a process in its system's format, which identifies the process together with its pid (on
 * Windows only `unknown`); undefined for a process that does not run.
 */
export function readProcessStartTime(pid: number): string | undefined {
  if (process.platform === 'linux') return fromProc(pid);
  if (process.platform === 'win32') return localProcessProbe.alive(pid, 0) ? 'unknown' : undefined;
  return fromPs(pid);
}

function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[state] === 'Z' ? undefined : fields[startTime];
  } catch {
    // There is no such process.
    return undefined;
  }
}

function fromPs(pid: number): string | undefined {
  try {
    const printed = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    }).trim();
    return printed === '' || printed.startsWith('Z') ? undefined : printed.replace(/^\S+\s+/, '');
  } catch {
    // `ps` fails where there is no such process.
    return undefined;
  }
}
