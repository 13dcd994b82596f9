import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checked, drafted, removeFolders } from './drafting.ts';

afterAll(removeFolders);

const people = {
  '-Nx1': {
    name: 'Kim Roth',
    email: 'kim@example.com',
    phone: '+4915123456701',
    notes: { a: { text: 'x' } },
  },
  '-Nx2': { name: 'Lou Roth', email: 'lou@example.com' },
  '-Nx3': { name: 'Max Solo', phone: '+4915123456703' },
};
const companies = {
  c1: { name: 'Roth KG' },
  c2: { name: 'Nu AG' },
  c3: { name: 'Ott' },
  c4: { name: 'Uhl' },
};

describe('a draft of JSON with a record under each key', () => {
  it.each([
    ['on one line', { companies, contacts: people }, undefined, 'contacts.*'],
    ['on many lines', { contacts: people, companies }, 2, 'contacts.*'],
    ['at the top', people, 2, '*'],
    ['at the top, on one line', people, undefined, '*'],
  ])('reads each of them as a person: %s', async (_, document, indent, at) => {
    const made = await drafted(JSON.stringify(document, null, indent), 'export.json');
    const { source } = parse(made.draft.pipeline.text).import;
    expect(source).toMatchObject({ format: 'json', at });
    expect(made.draft.rows).toBe(3);
    expect(parse(made.draft.mapping.text)).toMatchObject({
      key: '$key',
      contact: { firstName: { from: 'name' }, email: { from: 'email' }, phone: { from: 'phone' } },
    });
    expect((await checked(made)).wrong).toEqual([]);
  });

  it('takes a list of records where there is one as near to the top', async () => {
    const document = {
      about: { one: { label: 'a' }, two: { label: 'b' } },
      list: [{ id: 1, email: 'c@example.com' }],
    };
    const made = await drafted(JSON.stringify(document), 'export.json');
    expect(parse(made.draft.pipeline.text).import.source).toMatchObject({ at: 'list' });
  });

  it('takes one record with two addresses for one record', async () => {
    const record = { id: 1, email: 'a@example.com', home: { city: 'A' }, work: { city: 'B' } };
    const made = await drafted(`${JSON.stringify(record)}\n`, 'export.json');
    expect(made.draft.format).toBe('ndjson');
  });
});
