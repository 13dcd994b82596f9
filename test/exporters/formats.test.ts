import { describe, expect, test } from 'vitest';
import { exporters, findExporterByName } from '../../src/exporters/registry.ts';
import { readers } from './readers/index.ts';
import { exporterSuite } from './suite.ts';

test('every format has a reader for the shared suite, and every reader a format', () => {
  expect(Object.keys(readers).sort()).toEqual(exporters.map(({ name }) => name).sort());
});

test('a format is found by its name', () => {
  for (const exporter of exporters) expect(findExporterByName(exporter.name)).toBe(exporter);
  expect(findExporterByName('constructor')).toBeUndefined();
});

describe('the shared suite', () => {
  for (const exporter of exporters) {
    const reader = readers[exporter.name];
    if (reader !== undefined) exporterSuite(exporter, reader);
  }
});
