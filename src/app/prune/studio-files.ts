import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { thisMachine } from '../../report/liveness.ts';

/** Something that a studio has kept in the work dir. */
export interface StudioFile {
  /** A file or a folder. */
  readonly path: string;
  /** A file that somebody has dropped, or what is known of a command that was started there. */
  readonly kind: 'upload' | 'command';
  readonly name: string;
}

/**
 * What studios have left in a work dir before `before` (ms): files that were sent, and records of commands that have ended.
 * What `isRead` by a run stays.
 */
export function oldStudioFiles(
  workDir: string,
  before: number,
  isRead: (name: string) => boolean,
): readonly StudioFile[] {
  const entriesOf = (folder: string, kind: StudioFile['kind']): readonly StudioFile[] =>
    entriesIn(join(workDir, 'studio', folder)).map(({ name }) => ({
      ...{ path: join(workDir, 'studio', folder, name), kind, name },
    }));
  const isOld = (at: number | undefined): boolean => at !== undefined && at < before;
  return [
    ...entriesOf('uploads', 'upload').filter(({ path, name }) => isOld(changedAt(path)) && !isRead(name)),
    ...entriesOf('processes', 'command').filter(({ path }) => isOld(endOf(path))),
  ];
}

/** The last change of anything in it. */
function changedAt(path: string): number {
  const own = statSync(path);
  if (!own.isDirectory()) return own.mtimeMs;
  return Math.max(own.mtimeMs, ...entriesIn(path).map(({ name }) => changedAt(join(path, name))));
}

const record = z.object({ pid: z.int().nullable(), endedAt: z.string().nullable() });

/** When a command ended; undefined while it may still work. */
function endOf(folder: string): number | undefined {
  const { pid, endedAt } = recordIn(folder);
  if (endedAt !== null) return Date.parse(endedAt);
  // No studio has seen its end: its last word is as good.
  return pid !== null && thisMachine.alive(pid, 0) ? undefined : changedAt(folder);
}

function recordIn(folder: string): z.output<typeof record> {
  try {
    return record.parse(JSON.parse(readFileSync(join(folder, 'process.json'), 'utf8')));
  } catch {
    // Half of it was removed, or another version has written it.
    return { pid: null, endedAt: null };
  }
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isSymbolicLink());
  } catch {
    // No studio has kept anything there.
    return [];
  }
}
