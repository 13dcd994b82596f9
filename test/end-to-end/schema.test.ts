import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { run } from './in-process.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Schema = { readonly [key: string]: Json };

function isMap(value: Json | undefined): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function branches(schema: Schema): readonly Schema[] {
  const found = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) =>
    Array.isArray(list) ? list.filter(isMap) : [],
  );
  return [schema, ...found.flatMap(branches)];
}

/** Keys of a document that an editor with this schema would not know, as dotted paths. */
function unknownKeys(value: Json, schema: Schema, at: string): string[] {
  const own = branches(schema);
  if (Array.isArray(value)) {
    const items = own.map((branch) => branch.items).find(isMap);
    return items === undefined ? [] : value.flatMap((each, n) => unknownKeys(each, items, `${at}[${n}]`));
  }
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = own
      .flatMap((branch) => [
        isMap(branch.properties) ? branch.properties[key] : undefined,
        branch.additionalProperties,
      ])
      .filter(isMap);
    if (known.length === 0)
      return own.some((branch) => branch.properties !== undefined) ? [`${at}.${key}`] : [];
    return (
      known.map((each) => unknownKeys(inner, each, `${at}.${key}`)).sort((a, b) => a.length - b.length)[0] ??
      []
    );
  });
}

/** Every key that a schema describes, with whether it says what the key is for. */
function described(schema: Schema, at = ''): { readonly key: string; readonly says: boolean }[] {
  return branches(schema).flatMap(({ properties }) => {
    if (!isMap(properties)) return [];
    return Object.entries(properties).flatMap(([name, inner]) => {
      if (!isMap(inner)) return [];
      const says = branches(inner).some(({ description }) => typeof description === 'string');
      return [{ key: `${at}.${name}`, says }, ...described(inner, `${at}.${name}`)];
    });
  });
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const kinds = [
  { kind: 'mapping', folder: 'mappings' },
  { kind: 'pipeline', folder: 'pipelines' },
];

describe.each(kinds)('longshore schema $kind', ({ kind, folder }) => {
  it('is a JSON Schema that knows every key of the shipped files, and says what each is for', async () => {
    const { code, stdout, stderr } = await run(['schema', kind]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const schema: Schema = JSON.parse(stdout);
    expect(schema.$schema).toMatch(/^https:\/\/json-schema\.org\//);
    expect(unknownKeys({ [kind]: 'x', nonsense: 1 }, schema, '')).toEqual(['.nonsense']);
    const files = readdirSync(root + folder).filter((name) => name.endsWith('.yaml'));
    expect(files).not.toEqual([]);
    for (const file of files) {
      expect(unknownKeys(parse(readFileSync(`${root}${folder}/${file}`, 'utf8')), schema, file)).toEqual([]);
    }
    expect(described(schema).filter(({ says }) => !says)).toEqual([]);
  });
});
