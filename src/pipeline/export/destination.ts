import { basename } from 'node:path';
import { IANAZone } from 'luxon';
import * as z from 'zod';
import { formatDidYouMean } from '../../model/nearest.ts';

const placeholders = ['date'];

/** `to:`, the folder of an export, with `{date}` allowed in its last part. */
export const destinationSchema = z
  .string()
  .min(1)
  .superRefine((path, context) => {
    const message = mistakeOf(path);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .describe(
    'The folder, relative to this file; {date} is the day, for example 2026-01-31. It appears when the export is complete.',
  );

function mistakeOf(path: string): string | undefined {
  const name = basename(path);
  for (const [whole, word = ''] of path.matchAll(/\{([^{}]*)\}/g)) {
    if (!placeholders.includes(word)) {
      return `unknown placeholder ${whole}${formatDidYouMean(word, placeholders) || '; {date} is the only one'}`;
    }
  }
  if (path.replaceAll('{date}', '').search(/[{}]/) >= 0)
    return 'a brace is not closed or not opened; {date} is the day';
  if (path.slice(0, path.lastIndexOf(name)).includes('{date}')) {
    return '{date} must be in the last part of the path, next to the exports of other days';
  }
  if (name === 'latest')
    return '"latest" is the link to the newest export; use another name, for example exports/{date}';
  return name === '' || name === '.' || name === '..'
    ? 'use a separate folder, for example exports/{date}'
    : undefined;
}

/** `timezone:`, the time zone of `{date}` and of dates in filters. */
export const timezoneSchema = z
  .string()
  .superRefine((zone, context) => {
    // Offsets such as +01:00 are not time zone names, although some versions of Node accept them.
    if (/^[A-Za-z]/.test(zone) && IANAZone.isValidZone(zone)) return;
    const meant = formatDidYouMean(zone, Intl.supportedValuesOf('timeZone'));
    const message = `${JSON.stringify(zone)} is not a time zone${meant === '' ? ', such as Europe/Berlin or UTC' : meant}`;
    context.addIssue({ code: 'custom', message });
  })
  .default('UTC')
  .describe('The time zone of {date} and of dates in filters, for example Europe/Berlin.');
