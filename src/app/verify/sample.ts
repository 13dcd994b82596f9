import type { Randomness } from '../../model/ports.ts';
import { runSql, selectCount } from '../../storage/sql.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';

/** The conclusion from a sample about all contacts. */
export interface DefectBound {
  readonly confidence: number;
  /** At most this many of all contacts are not as they were written. */
  readonly atMost: number;
}

/** The confidence of every sample. */
const confidence = 0.95;

/** Keeps a share of the contacts in the file, each with the same chance; at least one. Returns the number kept. */
export function takeSample(file: SqliteFile, share: number, randomness: Randomness): number {
  const all = selectCount(file)`SELECT count(*) AS n FROM subject`;
  const wanted = Math.min(all, Math.max(1, Math.round(all * share)));
  file.exec('CREATE TABLE chosen (number INTEGER PRIMARY KEY) STRICT');
  const numbers = file.prepare<[], number>('SELECT number FROM subject ORDER BY number').pluck().all();
  const choose = file.transaction(() => {
    let left = wanted;
    for (const [n, number] of numbers.entries()) {
      if (randomness.next() * (all - n) >= left) continue;
      runSql(file)`INSERT INTO chosen (number) VALUES (${number})`;
      left -= 1;
    }
  });
  choose();
  file.exec(`DELETE FROM expected WHERE subject NOT IN (SELECT number FROM chosen);
    DELETE FROM deferred WHERE subject NOT IN (SELECT number FROM chosen);
    DELETE FROM who WHERE subject NOT IN (SELECT number FROM chosen);
    DELETE FROM subject WHERE number NOT IN (SELECT number FROM chosen);`);
  return wanted;
}

/**
 * Returns the most of `all` that may be bad, with this confidence, where `bad` of a sample of `size` are: with more
 * than that, fewer than one sample in twenty would have shown so few bad ones (hypergeometric, so exact for small
 * numbers, too).
 */
export function defectBound(all: number, size: number, bad: number): DefectBound {
  if (size >= all) return { confidence, atMost: bad };
  let [low, high] = [bad, all - (size - bad)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (chanceOfAtMost(bad, all, middle, size) > 1 - confidence) low = middle;
    else high = middle - 1;
  }
  return { confidence, atMost: low };
}

/** Returns the chance that a sample has at most `bad` bad ones where `badInAll` are bad. */
function chanceOfAtMost(bad: number, all: number, badInAll: number, size: number): number {
  let sum = 0;
  const total = logChoose(all, size);
  for (let n = Math.max(0, size - (all - badInAll)); n <= Math.min(bad, badInAll); n += 1) {
    sum += Math.exp(logChoose(badInAll, n) + logChoose(all - badInAll, size - n) - total);
  }
  return sum;
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/** Uses Stirling's series, whose error is far below the precision of a percentage. */
function logFactorial(n: number): number {
  if (n < 10) return Math.log([1, 1, 2, 6, 24, 120, 720, 5_040, 40_320, 362_880][n] ?? 1);
  return (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3);
}
