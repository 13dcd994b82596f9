import { expect, test } from 'vitest';
import { dataTypeNames } from '../../src/datatypes/index.ts';
import { createMappingJsonSchema } from '../../src/mapping/index.ts';
import { createPipelineJsonSchema } from '../../src/pipeline/index.ts';

/** Paths of properties below a schema that nobody described. */
function undescribed(schema: unknown, path = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const found: string[] = [];
  for (const [key, below] of Object.entries(schema)) {
    if (key !== 'properties') found.push(...undescribed(below, path));
    else {
      for (const [name, property] of Object.entries(Object(below))) {
        if (!('description' in Object(property))) found.push(`${path}.${name}`);
        found.push(...undescribed(property, `${path}.${name}`));
      }
    }
  }
  return found;
}

test.each([
  ['mapping', createMappingJsonSchema],
  ['pipeline', createPipelineJsonSchema],
])('the %s schema describes every key for editors', (_name, schema) => {
  expect([...new Set(undescribed(schema()))]).toEqual([]);
});

test('the mapping schema knows every data type', () => {
  const text = JSON.stringify(createMappingJsonSchema());
  for (const name of dataTypeNames) expect(text).toContain(`"const":"${name}"`);
});
