import { expect, test } from 'vitest';
import { sourceFormats } from '../../src/sources/registry.ts';
import { type Specimen, sourceSuite } from './source-suite.ts';

/** A delimited file; every cell that could need quotes has them. */
function delimited(delimiter: string): Specimen {
  const record = (cells: readonly string[]) =>
    `${cells.map((cell) => (/[^\p{L}\d]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)}\n`;
  return {
    write: (columns, rows) => Buffer.from(record(columns) + [...rows].map(record).join('')),
    writeBroken: (columns, before, after) =>
      Buffer.from(`${record(columns)}${record(before)}x${delimiter}y\n${record(after)}`),
    brokenCode: 'row.ragged',
  };
}

const specimens: Readonly<Record<string, Specimen>> = { csv: delimited(','), tsv: delimited('\t') };

test('every format has a specimen for the shared suite', () => {
  expect(sourceFormats.map(({ name }) => name).sort()).toEqual(Object.keys(specimens).sort());
});

for (const format of sourceFormats) {
  const specimen = specimens[format.name];
  if (specimen !== undefined) sourceSuite(format, specimen);
}
