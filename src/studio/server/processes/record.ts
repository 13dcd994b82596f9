import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { writeWhole } from '../../../report/whole-file.ts';
import { readJson } from '../../../storage/json.ts';
import { command } from '../../wire/schemas/command.ts';

/** What is kept of a process in its folder of the work dir, so that another studio finds it. */
const record = z.object({
  id: z.string(),
  command,
  typed: z.string(),
  /** Null until it has begun. */
  pid: z.int().nullable(),
  /** See `birthOf`. */
  birth: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
});

export type ProcessRecord = z.output<typeof record>;

const mostListed = 50;

export async function writeRecord(folder: string, value: ProcessRecord): Promise<void> {
  await writeWhole(join(folder, 'process.json'), [`${JSON.stringify(value, undefined, 2)}\n`]);
}

/** The newest records, newest first; a folder that has none, or one of another version, is left out. */
export function readRecords(folder: string): readonly ProcessRecord[] {
  return namesIn(folder)
    .sort()
    .reverse()
    .slice(0, mostListed)
    .flatMap((id) => readRecord(folder, id) ?? []);
}

export function readRecord(folder: string, id: string): ProcessRecord | undefined {
  try {
    return readJson(readFileSync(join(folder, id, 'process.json'), 'utf8'), record);
  } catch {
    // It is missing, or half of it was removed.
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing was started yet.
    return [];
  }
}
