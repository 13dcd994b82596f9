import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { readingOf } from '../reading.ts';
import { openDump } from './folders.ts';

const pipeline = z.object({
  import: z.object({ source: z.looseObject({ format: z.literal('dump'), path: z.string() }) }),
});

test.each([
  ['users only', {}],
  ['an account without tickets', { 'tickets.json': '', 'organizations.json': '' }],
])('the ready-made pipeline for Zendesk reads an export of %s', async (_what, more) => {
  const { source } = pipeline.parse(parse(readFileSync('pipelines/import-zendesk.yaml', 'utf8'))).import;
  const { format: _format, path: _path, where: _where, ...options } = source;
  const files = { 'users.json': readFileSync('fixtures/zendesk/users.json'), ...more };
  const { rows, facts } = await readingOf(openDump(files, options));
  expect(rows.length).toBeGreaterThan(20);
  expect(facts.absent).toEqual(['organization', 'ticket', 'comments']);
});
