import { expect, test } from 'vitest';
import { collectKeepRules, parseMapping } from '../../src/mapping/index.ts';

test('only what says keep has a rule, joined by its own join', () => {
  const mapping = parseMapping(
    `mapping: a
contact:
  firstName: { from: F, keep: first }
  lastName: { from: L, keep: union, join: " / " }
  email: { from: E }
customFields:
  Notes: { from: N, type: text, keep: union }
  Score: { from: S, type: number, keep: last }
  Plan: { from: P, type: list }
`,
    'm.yaml',
  );
  expect(collectKeepRules(mapping)).toEqual({
    contact: { firstName: { keep: 'first', join: '; ' }, lastName: { keep: 'union', join: ' / ' } },
    customFields: { Notes: { keep: 'union', join: '; ' }, Score: { keep: 'last', join: '; ' } },
  });
});

test('a mapping that says no keep has no rules', () => {
  const mapping = parseMapping('mapping: a\ncontact: { email: { from: E } }\n', 'm.yaml');
  expect(collectKeepRules(mapping)).toEqual({ contact: {}, customFields: {} });
});
