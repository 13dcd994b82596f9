import * as z from 'zod';
import type { IssuePath } from './places.ts';

/**
 * Returns the keys that a schema allows at a path of a value; for a union, the keys of the branches that fit the value.
 */
export function listSchemaKeys(schema: unknown, value: unknown, path: IssuePath): readonly string[] {
  let schemas = branches(schema, value);
  let here = value;
  for (const step of path) {
    here = childOf(here, step);
    const below = here;
    schemas = schemas.flatMap((each) => branches(childSchema(each, step), below));
  }
  return [
    ...new Set(schemas.flatMap((each) => (each instanceof z.ZodObject ? Object.keys(each.shape) : []))),
  ];
}

/** Returns the value that `value` has at a path; undefined if there is none. */
export function findValueAtPath(value: unknown, path: IssuePath): unknown {
  return path.reduce(childOf, value);
}

function childOf(value: unknown, step: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, step)?.value;
}

/** Returns a schema without its wrappers; for a union, the branches that fit the value. */
function branches(schema: unknown, value: unknown): readonly unknown[] {
  const inner = unwrapped(schema);
  if (inner !== undefined) return branches(inner, value);
  if (schema instanceof z.ZodPipe) return branches(schema.in, value);
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) => branches(option, value)).filter((each) => canMean(each, value));
  }
  return [schema];
}

function unwrapped(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return schema.unwrap();
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return schema.unwrap();
  return undefined;
}

function canMean(schema: unknown, value: unknown): boolean {
  if (!(schema instanceof z.ZodObject)) return true;
  return Object.entries(schema.shape).every(([key, property]) => {
    return !(property instanceof z.ZodLiteral) || property.safeParse(childOf(value, key)).success;
  });
}

function childSchema(schema: unknown, step: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return childOf(schema.shape, step);
  if (schema instanceof z.ZodRecord) return schema.valueType;
  if (schema instanceof z.ZodArray) return schema.element;
  return undefined;
}
