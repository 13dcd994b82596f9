import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freeBytes, reserveBytes } from '../../storage/room.ts';
import { spooled } from '../../storage/spool.ts';
import { refused } from '../plain-file.ts';
import { type Waiting, whileWaiting } from '../waiting.ts';
import { type FileTable, type ListedTable, quoted } from './schema.ts';
import { inOwnProcess } from './view-process.ts';

/** The table of a copy that holds the rows of the view, in the view's order. */
export const copiedRows: ListedTable = { name: 'copied', kind: 'table' };

const pageBytes = 4096;

/** A view to be copied, of a file that is known by its fingerprint. */
export interface ViewOrder {
  readonly file: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly view: Pick<FileTable, 'name' | 'columns'>;
  readonly spoolDir: string;
  readonly waiting: Waiting | undefined;
}

/**
 * Copies the rows of a view into a file of the spool folder, once, and gives its path. SQLite may compute a view for ever
 * within one call, which no signal reaches: so a process of its own does it. Throws a FatalError('input') where the view
 * cannot be read or outgrows the disk.
 */
export async function copiedView(order: ViewOrder, signal: AbortSignal): Promise<string> {
  const { fingerprint, view, spoolDir, name, file, waiting } = order;
  const of = createHash('sha256')
    .update(JSON.stringify([fingerprint, view.name]))
    .digest('hex');
  const key = `view-${of.slice(0, 16)}`;
  if (existsSync(join(spoolDir, key))) return join(spoolDir, key);
  const columns = view.columns.map(quoted).join(', ');
  const statements = [
    `CREATE TABLE copy.${quoted(copiedRows.name)} (${columns})`,
    `INSERT INTO copy.${quoted(copiedRows.name)} SELECT ${columns} FROM main.${quoted(view.name)}`,
  ];
  return await spooled(spoolDir, async (_, copy) => {
    const work = { file, copy, statements, mostPages: await pagesFree(spoolDir) };
    const text = `Reading the view ${view.name} of ${name} …`;
    const answer = await whileWaiting(waiting, text, inOwnProcess(work, signal));
    if (answer === null) return key;
    throw answer.code === 'SQLITE_FULL'
      ? refused(
          name,
          `has a view ${view.name} with more rows than the disk of ${spoolDir} can take`,
          'If the view is finite, free some space there, or choose another --work-dir.',
        )
      : refused(
          name,
          `has a view ${view.name} that cannot be read: ${answer.message} (${answer.code})`,
          'Check it with the sqlite3 program, or export it again.',
        );
  });
}

async function pagesFree(folder: string): Promise<number> {
  return Math.min(2 ** 31, Math.max(1, Math.floor(((await freeBytes(folder)) - reserveBytes) / pageBytes)));
}
