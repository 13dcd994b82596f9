import { describe, expect, it } from 'vitest';
import { readValueMap } from '../../src/studio/page/mapping/value-map.ts';

const target = (name: string, rule: unknown) => ({
  ...{ name, rule, label: null, columns: [] },
  path: name.split('.'),
});

describe('the table of values of a target', () => {
  const map = readValueMap(
    target('customFields.Plan', { from: 'Plan', values: { Gold: 'Premium', old: null, 7: 8 } }),
  );

  it('is looked up without regard to case', () => {
    expect(['gold', 'OLD', '7', 'silver'].map((text) => map.becomes(text))).toEqual([
      'Premium',
      null,
      '8',
      'silver',
    ]);
    expect([map.lists('GOLD'), map.lists('silver')]).toEqual([true, false]);
  });

  it('is changed at the keys that it has, each text once', () => {
    expect(
      map.set([
        ['gold', 'Best'],
        ['GOLD', 'Other'],
        ['Silver', 'Good'],
        ['silver', 'Bad'],
        ['none', ''],
      ]),
    ).toEqual({
      ...{ kind: 'setEntries', target: ['customFields', 'Plan'], key: ['values'] },
      entries: [
        ['Gold', 'Best'],
        ['Silver', 'Good'],
        ['none', null],
      ],
    });
    expect(map.remove(['GOLD', 'gold', 'silver'])).toEqual({
      ...{ kind: 'removeEntries', target: ['customFields', 'Plan'], key: ['values'], names: ['Gold'] },
    });
  });

  it('is `users` for an assignee without `values`, and empty for a rule that is no map', () => {
    expect(readValueMap(target('assignee', { from: 'A', users: { Bob: null } })).becomes('bob')).toBeNull();
    expect(readValueMap(target('assignee', { from: 'A', values: {} })).set([['a', 'b']])).toMatchObject({
      key: ['values'],
    });
    expect(readValueMap(target('tags', 'TODO: which?')).becomes('a')).toBe('a');
  });
});
