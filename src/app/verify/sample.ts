import type { Randomness } from '../../model/ports.ts';
import { runSql, selectCount } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';

/** The upper bound, from a sample, of the number of defective contacts. */
export interface DefectBound {
  readonly confidence: number;
  /** The upper bound, with this confidence, of the number of defective contacts among all. */
  readonly atMost: number;
}

/** The confidence of every bound, from 0 to 1. */
const confidence = 0.95;

/** Reduces the expected contacts to a random share of them, at least one; returns the number kept. */
export function reduceToRandomSample(file: SqliteConnection, share: number, randomness: Randomness): number {
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
 * Returns the upper confidence bound of the number of defects among `all`, given `bad` defects in a sample of `size`;
 * exact, by the hypergeometric distribution.
 */
export function computeDefectBound(all: number, size: number, bad: number): DefectBound {
  if (size >= all) return { confidence, atMost: bad };
  let [low, high] = [bad, all - (size - bad)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (chanceOfAtMost(bad, all, middle, size) > 1 - confidence) low = middle;
    else high = middle - 1;
  }
  return { confidence, atMost: low };
}

/** Returns the probability of at most `bad` defects in a sample of `size`, if `badInAll` of `all` are defective. */
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

/** Returns ln(n!), by Stirling's series from 10 on; its error is far below the precision of a percentage. */
function logFactorial(n: number): number {
  if (n < 10) return Math.log([1, 1, 2, 6, 24, 120, 720, 5_040, 40_320, 362_880][n] ?? 1);
  return (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3);
}
