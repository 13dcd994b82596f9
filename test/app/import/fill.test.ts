import { expect, it } from 'vitest';
import type { RunEnd } from '../../../src/app/run/run-pipeline.ts';
import { countFilledFields } from '../../../src/journal/index.ts';
import { realImport } from './real-import.ts';

const mapping = `mapping: fill
key: Id
contact:
  firstName: { from: Name, default: Unknown }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone, country: MY }
  language: { from: Language, default: en }
customFields:
  Score: { from: Score, type: number }
  Plan: { from: Plan, type: text, create: true }
`;

const header = 'Id,Name,Last,Email,Phone,Language,Score,Plan';

const seed = {
  customFields: [{ id: 1, name: 'Score', dataType: 'number' as const }],
  contacts: [
    {
      ...{ id: 7, firstName: 'Ada', lastName: 'King', email: 'ada@example.test', created_at: 20 },
      custom_fields: [{ name: 'Score', value: 42 }],
    },
    { id: 8, firstName: 'Dee', email: 'dee@example.test', created_at: 20 },
    { id: 9, firstName: 'D.', lastName: 'Dell', phone: '+60123456789', created_at: 10 },
  ],
};

/** `3: firstName 1 3, …` — of three contacts one had a first name before, and all have one after. */
function fillOf({ file, run }: RunEnd): string {
  const counted = countFilledFields(file, run);
  const fields = counted?.fields.map(({ field, before, after }) => `${field} ${before} ${after}`) ?? [];
  return `${counted?.contacts}: ${fields.join(', ')}`;
}

it('counts which fields the contacts of a run had before, and have after', async () => {
  const lines = [
    header,
    '1,Ada,Byron,ada@example.test,+60121111111,,,gold',
    '2,,,bob@example.test,+60129999999,,5,',
    '3,Bob,Bold,bob@example.test,,,,',
    '4,Dee,,dee@example.test,+60123456789,,,',
    '5,Eve,,no address,,,,',
  ];
  const site = await realImport(mapping, lines, ['  policy: { onConflict: merge }'], '', { seed });
  const fills: string[] = [];
  const look = (end: RunEnd) => void fills.push(fillOf(end));
  // Ada gets a last name, a phone and a plan; Bob is two rows and one new contact; two contacts become Dee.
  await site.import({}, look);
  expect(fills.pop()).toBe(
    '3: firstName 2 3, lastName 2 3, email 1 3, phone 1 3, language 0 1, customFields.Score 1 2, customFields.Plan 0 1',
  );
  // A delta run looks at nobody whose row is as it was.
  site.write([...lines.slice(0, 4), '4,Dee,,dee@example.test,+60123456789,ms,,', lines[5] ?? '']);
  await site.import({}, look);
  expect(fills.pop()).toBe(
    '1: firstName 1 1, lastName 1 1, email 1 1, phone 1 1, language 0 1, customFields.Score 0 0, customFields.Plan 0 0',
  );
});

it('counts a value that an empty cell clears, and one that is there already under "fill"', async () => {
  const emptied = mapping.replace('{ from: Last }', '{ from: Last, empty: clear }');
  const site = await realImport(emptied, [header, '1,Ada,,ada@example.test,,,,gold'], [], '', { seed });
  await site.import({}, (end) => expect(fillOf(end)).toContain('lastName 1 0'));
  const filling = await realImport(
    emptied,
    [header, '1,Ada,,ada@example.test,,,5,gold'],
    ['  policy: { onMatch: fill }'],
    '',
    { seed },
  );
  await filling.import({}, (end) => {
    expect(fillOf(end)).toContain('lastName 1 1');
    expect(fillOf(end)).toContain('customFields.Score 1 1, customFields.Plan 0 1');
  });
});
