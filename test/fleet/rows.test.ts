import { expect, it } from 'vitest';
import * as z from 'zod';
import { parseRows } from '../../src/fleet/database/rows.ts';
import { jobResultSchema } from '../../src/fleet/queue/job.ts';

const row = z.object({ name: z.string(), last_run: jobResultSchema.nullable() });
const text =
  'SELECT name, last_run FROM longshore.assignment a JOIN longshore.workspace w ON w.name = a.workspace';
const end = { run: '1', exitCode: 0, message: null, next: null };

it('rows of the database come as they were written', () => {
  const rows = [
    { name: 'acme', last_run: { ...end, steps: [{ why: 'look', command: null }], fault: 'machine' } },
    { name: 'beta', last_run: null },
  ];
  expect(parseRows(row, text, rows)).toEqual(rows);
});

it('a row that is another one names its table and its column', () => {
  const rows = [
    { name: 'acme', last_run: null },
    { name: 'beta', last_run: { ...end, exitCode: 'three' } },
  ];
  expect(() => parseRows(row, text, rows)).toThrow(
    expect.objectContaining({
      reason: 'unexpected',
      message: expect.stringContaining('row 2 of longshore.assignment is not what this Longshore writes'),
      place: { key: 'last_run.exitCode' },
    }),
  );
});
