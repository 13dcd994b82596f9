import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Moves the runs of a work dir to so many days ago, the first run first. */
export function nightsAgo(workDir: string, days: readonly number[]): void {
  const journal = new Database(join(workDir, 'journal.db'));
  const now = Date.now();
  const move = journal.prepare('UPDATE run SET started_at = ?, ended_at = ? WHERE number = ?');
  const numbers = journal.prepare('SELECT number FROM run ORDER BY number').pluck().all();
  for (const [index, number] of numbers.entries()) {
    const at = now - (days[index] ?? 0) * 86_400_000;
    move.run(at, at + 1_000, number);
  }
  journal.close();
}
