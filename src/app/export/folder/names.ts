import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DateTime } from 'luxon';

/** Returns `to` with `{date}` replaced by the day of `at` (ms since 1970) in the pipeline's time zone. */
export function expandExportPath(to: string, at: number, timezone: string): string {
  const date = DateTime.fromMillis(at, { zone: timezone }).toFormat('yyyy-MM-dd');
  return to.replaceAll('{date}', date);
}

/** Returns the path if nothing is there, otherwise the first free path with `-2`, `-3`, … at its end. */
export function findFreePath(wanted: string): string {
  for (let n = 1; ; n += 1) {
    const path = n === 1 ? wanted : `${wanted}-${n}`;
    if (!existsSync(path)) return path;
  }
}

/** Returns the temporary path of a run's folder, beside its final one. */
export function buildTemporaryExportPath(path: string, run: string): string {
  return join(dirname(path), `.${basename(path)}.${run}.part`);
}
