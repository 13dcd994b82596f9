import { expect, it } from 'vitest';
import { realImport } from '../import/real-import.ts';
import { undo } from './real-undo.ts';

const mapping = `mapping: people
key: Id
contact:
  firstName: { from: name }
  email: { from: email }
customFields:
  Plan: { from: plan, type: list, allowed: [gold, silver] }
lifecycle: { from: stage }
assignee: { from: owner }
`;

const seed = {
  customFields: [{ id: 1, name: 'Plan', dataType: 'list' as const, allowedValues: ['gold', 'silver'] }],
  contacts: [
    { id: 10, firstName: 'Ann', email: 'ann@example.test', custom_fields: [{ name: 'Plan', value: 'gold' }] },
    { id: 11, firstName: 'Bo', email: 'bo@example.test', lifecycle: 'Customer' },
  ],
};

const rows = [
  'Id,name,email,plan,stage,owner',
  '1,Anna,ann@example.test,silver,New Lead,1',
  '2,Bo,bo@example.test,gold,New Lead,2',
];

it('puts updated fields, lifecycle and assignee back, and the next import sends them again', async () => {
  const real = await realImport(mapping, rows, [], '', { seed });
  const before = real.sandbox.contacts();
  await real.import();
  const after = real.sandbox.contacts();
  expect(after).not.toEqual(before);
  const { exitCode, kept } = await undo(real);
  expect(kept).toEqual([]);
  expect(real.sandbox.contacts()).toEqual(before);
  expect(exitCode).toBe(0);
  await real.import();
  expect(real.sandbox.contacts()).toEqual(after);
});
