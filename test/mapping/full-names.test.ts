import { expect, test } from 'vitest';
import { compileMapping, parseMapping } from '../../src/mapping/index.ts';
import { rowOf } from './rows.ts';

const mapping = `mapping: a
contact:
  firstName: { from: Name, part: given, default: Unknown }
  lastName: { from: Name, part: family }
  email: { from: E }
`;

test.each([
  ['Garçon, Gaël', { firstName: 'Gaël', lastName: 'Garçon' }],
  ['Gaël Garçon', { firstName: 'Gaël', lastName: 'Garçon' }],
  ['Gaël', { firstName: 'Gaël' }],
])('a full name %j is cut into its parts', (Name, expected) => {
  const mapped = compileMapping(parseMapping(mapping, 'm.yaml'))(rowOf({ Name, E: 'a@b.co' }));
  expect(mapped).toMatchObject({
    ok: true,
    draft: { values: { contact: { email: 'a@b.co', ...expected } } },
  });
});

test('a name without a given name takes the default of the first name', () => {
  const mapped = compileMapping(parseMapping(mapping, 'm.yaml'))(rowOf({ Name: 'Garçon,', E: 'a@b.co' }));
  expect(mapped).toMatchObject({
    ok: true,
    draft: { values: { contact: { lastName: 'Garçon' } }, defaults: { contact: { firstName: 'Unknown' } } },
  });
});

test('part is a key of names alone', () => {
  const text = 'mapping: a\ncontact:\n  email: { from: E, part: given }\n';
  expect(() => parseMapping(text, 'm.yaml')).toThrow(/contact\.email.*part/s);
});

test('familyFirst cuts a name that has the family name first', () => {
  const text = mapping.replaceAll(/part: \w+/g, '$&, familyFirst: true');
  const mapped = compileMapping(parseMapping(text, 'm.yaml'))(rowOf({ Name: 'Kovács Éva', E: 'a@b.co' }));
  expect(mapped).toMatchObject({
    ok: true,
    draft: { values: { contact: { firstName: 'Éva', lastName: 'Kovács' } } },
  });
});

test('familyFirst needs part', () => {
  const text = 'mapping: a\ncontact:\n  firstName: { from: Name, familyFirst: true }\n  email: E\n';
  expect(() => parseMapping(text, 'm.yaml')).toThrow(/"familyFirst" needs part/);
});
