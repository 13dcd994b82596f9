import { expect, test } from 'vitest';
import { file, never, open, refusal } from './reading.ts';

const people = 'id,name\n1,Ada\n2,Bob\n';

test('a column that is not there counts as empty, and that is said, unless then no row is taken', async () => {
  const source = (where: object) => open(file(people), { where });
  const facts = await source({ deleted: { not: true }, id: '2' }).inspect(never);
  expect(facts.notes).toContain('"where" uses the column "deleted", which no row has: it counts as empty.');
  const error = await refusal(source({ deleted: false }).inspect(never));
  expect(error.message).toContain('has no column "deleted", which "where" uses');
  expect(error.next).toBe('It has: id, name. Fix "where".');
});
