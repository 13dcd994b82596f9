import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DateTime } from 'luxon';

/** The path that `to` means for an export that began at `at` (ms): `{date}` is the day in the pipeline's time zone. */
export function wantedPath(to: string, at: number, timezone: string): string {
  const date = DateTime.fromMillis(at, { zone: timezone }).toFormat('yyyy-MM-dd');
  return to.replaceAll('{date}', date);
}

/** The path itself, or the first of `-2`, `-3`, … that nothing stands at. */
export function freePath(wanted: string): string {
  for (let n = 1; ; n += 1) {
    const path = n === 1 ? wanted : `${wanted}-${n}`;
    if (!existsSync(path)) return path;
  }
}

/** Where a folder is written aside, beside the place where it will stand. */
export function partPath(path: string, run: string): string {
  return join(dirname(path), `.${basename(path)}.${run}.part`);
}
