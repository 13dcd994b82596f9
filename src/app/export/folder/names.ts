import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DateTime } from 'luxon';

/** Returns the path of `to` for an export that began at `at` (ms): `{date}` is the day in the pipeline's time zone. */
export function exportPath(to: string, at: number, timezone: string): string {
  const date = DateTime.fromMillis(at, { zone: timezone }).toFormat('yyyy-MM-dd');
  return to.replaceAll('{date}', date);
}

/** Returns the path itself, or the first free one of `-2`, `-3`, …. */
export function freePath(wanted: string): string {
  for (let n = 1; ; n += 1) {
    const path = n === 1 ? wanted : `${wanted}-${n}`;
    if (!existsSync(path)) return path;
  }
}

/** Returns the path at which a folder is prepared, beside its final place. */
export function partPath(path: string, run: string): string {
  return join(dirname(path), `.${basename(path)}.${run}.part`);
}
