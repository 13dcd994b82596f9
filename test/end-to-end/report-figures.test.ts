import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { expectFigures } from '../report/expect-figures.ts';
import { atEveryReport } from './every-report.ts';

it('every number of a report is in its summary.json, whatever the run was', async () => {
  const seen = new Map<string, readonly string[]>();
  await atEveryReport(({ what, page, summary }) => {
    const html = readFileSync(page, 'utf8');
    seen.set(what, expectFigures(html, JSON.parse(summary)));
    // What stands in the input becomes no markup.
    expect(html).not.toMatch(/<img|<script|\u202e/);
  });
  expect([...seen.keys()]).toHaveLength(8);
  const everything = seen.get('an import with everything') ?? [];
  for (const path of [
    '/rows/created',
    '/fill/contacts',
    '/problems/0/n',
    '/duplicates/people',
    '/manual/tagged',
  ])
    expect(everything).toContain(path);
  expect(seen.get('an import that was verified')).toContain('/verification/values/matched');
  expect(seen.get('an export')).toContain('/counts/contacts');
});
