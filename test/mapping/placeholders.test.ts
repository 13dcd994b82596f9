import { describe, expect, test } from 'vitest';
import { compileMapping, compileRowTracer, parseMapping } from '../../src/mapping/index.ts';
import type { Cell, NestedRow } from '../../src/model/row.ts';
import { rowOf } from './rows.ts';

const mapping = `mapping: a
key: K
empty: [N/A, "-", "#N/A", NULL, 0]
contact:
  firstName: { from: F, default: Unknown }
  lastName: { from: L }
  email: { from: [E, E2] }
  phone: { from: P, country: { from: C, default: MY } }
  countryCode: { from: C }
customFields:
  Plan: { from: Plan, type: text, values: { n/a: none }, default: basic }
  Both: { template: "{F} {L}", type: text }
tags: { from: T }
lifecycle: { from: S, stages: [Lead] }
assignee: { from: A }
comments:
  - { name: note, text: "{N}" }
  - { each: notes, key: id, text: "{body}" }
`;

function draftOf(cells: Readonly<Record<string, Cell>>, notes: readonly NestedRow[] = []) {
  const row = {
    ...rowOf({ E2: 'a@b.co', ...cells }),
    list: (name: string) => (name === 'notes' ? notes : undefined),
  };
  const mapped = compileMapping(parseMapping(mapping, 'm.yaml'))(row);
  if (!mapped.ok) throw new Error(JSON.stringify(mapped.problems));
  return mapped.draft;
}

describe('a placeholder that the mapping lists is an empty cell', () => {
  test('of the key', () => expect(draftOf({ K: '#N/A' }).key).toBeNull());

  test.each(['N/A', 'n/a', ' N/A\u00a0', '-', 'null', '0'])('of names: %j', (L) => {
    const { values, defaults } = draftOf({ F: L, L });
    expect(values.contact).toEqual({ email: 'a@b.co' });
    expect(defaults.contact).toEqual({ firstName: 'Unknown' });
  });

  test('of an identifier, so that the next column is read', () => {
    expect(draftOf({ E: 'n/a', P: '-' })).toMatchObject({
      values: { contact: { email: 'a@b.co' } },
      dropped: [],
    });
  });

  test('of a country, so that the default is read', () => {
    const { contact } = draftOf({ P: '012-345 6789', C: 'N/A' }).values;
    expect(contact).toEqual({ email: 'a@b.co', phone: '+60123456789' });
  });

  test('of custom fields, also where their values list it', () => {
    const { values, defaults } = draftOf({ Plan: 'N/A' });
    expect([values.customFields, defaults.customFields]).toEqual([{}, { Plan: 'basic' }]);
  });

  test('of a template', () => {
    expect(draftOf({ F: '-', L: 'Stone' }).values.customFields).toEqual({ Both: 'Stone' });
    expect(draftOf({ F: '-', L: 'NULL' }).values.customFields).toEqual({});
  });

  test('of tags, stage, assignee and comments', () => {
    const draft = draftOf({ T: '-', S: 'N/A', A: 'null', N: '#n/a' });
    expect(draft).toMatchObject({ tags: [], comments: [] });
    expect(draft).not.toHaveProperty('lifecycle');
    expect(draft).not.toHaveProperty('assignee');
  });

  test('of the rows of a list', () => {
    const notes = [rowOf({ id: '1', body: '-' }), rowOf({ id: '2', body: 'Called' })];
    expect(draftOf({}, notes).comments).toEqual([{ id: 'notes:2', text: 'Called' }]);
  });

  test('and a part of a cell is none', () => {
    expect(draftOf({ L: 'N/A Stone' }).values.contact.lastName).toBe('N/A Stone');
  });

  test('and the trace of a row shows it as empty', () => {
    const traced = compileRowTracer(parseMapping(mapping, 'm.yaml'))(rowOf({ L: '-', E: 'a@b.co' }));
    const lastName = traced.targets.find(({ target }) => target === 'contact.lastName');
    expect(lastName).toMatchObject({ value: null, cells: [{ column: 'L', cells: ['-'] }] });
    expect(lastName?.steps.flatMap(({ texts }) => texts)).toEqual([]);
  });
});
