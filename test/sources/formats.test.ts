import { describe, expect, test } from 'vitest';
import { sourceFormats } from '../../src/sources/registry.ts';
import { builders } from './builders/index.ts';
import { sourceSuite } from './suite.ts';

/** A live workspace is no file; it has tests of its own. */
const files = sourceFormats.filter(({ live }) => live !== true);

test('every format has a builder for the shared suite, and every builder a format', () => {
  expect(Object.keys(builders).sort()).toEqual(files.map(({ name }) => name).sort());
});

describe('the shared suite', () => {
  for (const format of files) {
    const builder = builders[format.name];
    if (builder !== undefined) sourceSuite(format, builder);
  }
});
