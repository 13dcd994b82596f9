import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { FatalError } from '../../src/model/fatal-error.ts';
import { type FilterOperatorName, getMultiValueKind } from '../../src/pipeline/export/filter-fields.ts';
import { loadExportPipeline } from '../../src/pipeline/index.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import type { FilterCondition } from '../../src/workspace/endpoints/operations.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/index.ts';
import { isLong } from '../long.ts';
import { hastyClock, hastyLimits } from '../workspace/hasty-clock.ts';
import { seeded } from '../workspace/seeded.ts';
import { meets } from './filter-model.ts';
import { fields, type Person, people, seed, zone } from './filter-people.ts';

let folder = '';
let sandbox: Sandbox;
let workspace: Workspace;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-filter-'));
  sandbox = await startSandbox({ rate: 'off', explain: true, seed });
  workspace = openWorkspace({
    baseUrl: sandbox.baseUrl,
    token: 'sandbox',
    limits: hastyLimits,
    clock: hastyClock(),
    randomness: seeded(1),
    signal: new AbortController().signal,
  });
});

afterAll(async () => {
  await workspace.close(1_000);
  await sandbox.close();
  await rm(folder, { recursive: true });
});

/** The conditions of a filter as somebody writes it. */
async function loaded(filter: string): Promise<readonly FilterCondition[]> {
  const file = join(folder, 'filtered.yaml');
  const contacts = `  contacts:\n    format: csv\n    filter: ${filter.replaceAll('\n', '\n      ')}\n`;
  await writeFile(file, `pipeline: p\nexport:\n  to: out\n${contacts}`);
  const { contacts: settings } = (await loadExportPipeline(file)).export;
  return settings?.filter ?? [];
}

/** Who of the workspace a filter selects. */
async function selected(conditions: readonly FilterCondition[]): Promise<readonly number[]> {
  const answer = await workspace.contacts.list({
    timezone: zone,
    filter: { $and: conditions },
    limit: 99,
    cursor: undefined,
  });
  if (answer.kind !== 'ok') throw new Error(`${JSON.stringify(conditions)}: ${answer.message}`);
  return answer.value.items.map(({ id }) => id);
}

const expected = (met: (person: Person) => boolean): readonly number[] =>
  people.filter(met).map(({ id }) => id);

describe('a filter selects who meets it', () => {
  test.each([...fields.keys()])('%s, by every operator that goes with it', async (name) => {
    const { rule, held, texts, operators } = fieldNamed(name);
    const counts: number[] = [];
    for (const operator of operators) {
      for (const text of texts(operator)) {
        const model = expected((person) => meets(held(person), rule, operator, text));
        for (const given of waysToWrite(operator, text)) {
          const conditions = await loaded(
            `{ ${JSON.stringify(name)}: { ${operator}: ${JSON.stringify(given)} } }`,
          );
          const ids = await selected(conditions);
          expect({ operator, given, ids }).toEqual({ operator, given, ids: model });
          counts.push(ids.length);
        }
      }
    }
    // A filter that never tells anybody apart would show nothing.
    expect(new Set(counts).size).toBeGreaterThan(1);
  });

  test('several conditions at once, also two of one field', async () => {
    const condition = fc.constantFrom(...fields.keys()).chain((name) => {
      const { texts, operators } = fieldNamed(name);
      return fc
        .constantFrom(...operators)
        .chain((operator) => fc.constantFrom(...texts(operator)).map((text) => ({ name, operator, text })));
    });
    const property = fc.asyncProperty(fc.array(condition, { minLength: 1, maxLength: 4 }), async (asked) => {
      const maps = asked.map(({ name, operator, text }) => ({
        [name]: { [operator]: operator === 'exists' || operator === 'doesNotExist' ? true : text },
      }));
      const conditions = await loaded(`\n${stringify(maps)}`);
      expect(conditions).toHaveLength(asked.length);
      const model = expected((person) =>
        asked.every(({ name, operator, text }) => {
          const { held, rule } = fieldNamed(name);
          return meets(held(person), rule, operator, text);
        }),
      );
      expect(await selected(conditions)).toEqual(model);
    });
    await fc.assert(property, { numRuns: isLong ? 100 : 30 });
  });
});

/** One text; and where an operator takes several values, a list or the two ends of a range. */
function waysToWrite(operator: FilterOperatorName, text: string): readonly unknown[] {
  if (operator === 'exists' || operator === 'doesNotExist') return [true];
  const items = text.split(',').map((item) => item.trim());
  switch (getMultiValueKind(operator)) {
    case 'list':
      return [text, items];
    case 'range':
      return [text, { from: items[0], to: items[1] }];
    case undefined:
      return [text];
  }
}

function fieldNamed(name: string) {
  const field = fields.get(name);
  if (field === undefined) throw new Error(`no field ${name}`);
  return field;
}

test('a filter arrives in the words of the interface', async () => {
  const text = `lifecycle: { isEqualTo: Customer }
tags: { hasAnyOf: "vip, partner" }
email: { exists: true }
phone: { doesNotExist: true }
created_at: { isTimestampAfter: 2026-01-01 }
isBlocked: { isEqualTo: false }
customFields.Score: { isLessThan: 50, isGreaterThan: 10.5 }
customFields.Plan v2.0: { isEqualTo: "007" }
contactField.assigneeTeam: { isEqualTo: Support }
`;
  const field = 'contactField';
  expect(await loaded(`\n${text}`)).toEqual([
    { category: 'lifecycle', field: '', operator: 'isEqualTo', value: 'Customer' },
    { category: 'contactTag', field: '', operator: 'hasAnyOf', value: 'vip, partner' },
    { category: field, field: 'email', operator: 'exists', value: '' },
    { category: field, field: 'phone', operator: 'doesNotExist', value: '' },
    { category: field, field: 'created_at', operator: 'isTimestampAfter', value: '2026-01-01' },
    { category: field, field: 'isBlocked', operator: 'isEqualTo', value: 'false' },
    { category: field, field: 'Score', operator: 'isGreaterThan', value: '10.5' },
    { category: field, field: 'Score', operator: 'isLessThan', value: '50' },
    { category: field, field: 'Plan v2.0', operator: 'isEqualTo', value: '007' },
    { category: field, field: 'assigneeTeam', operator: 'isEqualTo', value: 'Support' },
  ]);
});

test('a list goes out as an array, a mapping as from and to, a text as it is written', async () => {
  const text = `- tags: { hasAnyOf: [vip, "a, b", 7], hasAllOf: "vip,partner" }
  created_at: { isTimestampBetween: { from: 2026-01-01, to: 2026-02-01 } }
  customFields.Score: { isBetween: { from: 1, to: 10.5 } }
- tags: { hasNoneOf: [internal] }
  id: { isBetween: "5,9" }
`;
  const sent = (await loaded(`\n${text}`)).map(({ operator, value }) => [operator, value]);
  expect(sent).toEqual([
    ['hasAnyOf', ['vip', 'a, b', '7']],
    ['hasAllOf', 'vip,partner'],
    ['isTimestampBetween', { from: '2026-01-01', to: '2026-02-01' }],
    ['isBetween', { from: '1', to: '10.5' }],
    ['hasNoneOf', ['internal']],
    ['isBetween', '5,9'],
  ]);
});

const mistakes: readonly (readonly [filter: string, saying: string])[] = [
  ['{ emial: { isEqualTo: a } }', 'contacts cannot be filtered by "emial"; did you mean "email"?'],
  [
    '{ created: { isGreaterThan: 1 } }',
    'contacts cannot be filtered by "created"; did you mean "created_at"?',
  ],
  ['{ segment: { isEqualTo: a } }', 'by "segment"; known are id, firstName, lastName, '],
  ['{ customFields: { Plan: { isEqualTo: a } } }', "the field's name goes after the dot: customFields.NAME"],
  ['{ customFields.: { isEqualTo: a } }', "the field's name goes after the dot: customFields.NAME"],
  [
    '{ customFields.status: { isEqualTo: a } }',
    'a filter cannot tell the custom field apart from the contact\'s own "status"',
  ],
  ['{ email: { isEqual: a } }', 'the key "isEqual" is not known here; did you mean "isEqualTo"?'],
  ['{ email: {} }', 'an operator is expected here, such as isEqualTo: value'],
  ['{ email: a@example.com }', 'a map of keys and values is expected here, not the text "a@example.com"'],
  [
    '{ tags: { isGreaterThan: 1 } }',
    'isGreaterThan cannot be used with tags; use isEqualTo, isNotEqualTo, exists, doesNotExist, hasAnyOf, hasAllOf, hasNoneOf',
  ],
  ['{ lifecycle: { isTimestampAfter: 2026-01-01 } }', 'isTimestampAfter cannot be used with lifecycle'],
  ['{ email: { isBetween: "a,b" } }', 'isBetween cannot be used with email'],
  ['{ id: { isTimestampBefore: 5 } }', 'isTimestampBefore cannot be used with id'],
  ['{ id: { isEqualTo: seven } }', 'id is a number, never "seven"'],
  ['{ isBlocked: { isEqualTo: "yes" } }', 'isBlocked is true or false, never "yes"'],
  [
    '{ tags: { isEqualTo: [vip] } }',
    'this operator takes one value; hasAnyOf, hasAllOf and hasNoneOf take a list',
  ],
  ['{ id: { isBetween: [1, 2] } }', 'two values are expected here, such as { from: 1, to: 9 }'],
  ['{ id: { isBetween: { from: 1 } } }', 'two values are expected here, such as { from: 1, to: 9 }'],
  ['{ id: { isBetween: { from: 1, too: 2 } } }', 'two values are expected here, such as { from: 1, to: 9 }'],
  ['{ id: { isBetween: { from: 1, to: nine } } }', 'id is a number, never "nine"'],
  ['{ id: { hasAnyOf: [1, two] } }', 'id is a number, never "two"'],
  ['{ tags: { hasAnyOf: [] } }', 'this must not be empty'],
  ['{ tags: { hasAnyOf: [vip, ""] } }', 'for empty fields use doesNotExist: true'],
  ['{ tags: { hasAnyOf: [[vip]] } }', 'a list of values is expected here, or one text'],
  ['{ tags: { hasAnyOf: { from: a, to: b } } }', 'a list of values is expected here, or one text'],
  ['{ email: { exists: false } }', 'the opposite of exists is doesNotExist'],
  ['{ email: { isEqualTo: "" } }', 'for empty fields use doesNotExist: true'],
  ['{ email: { isEqualTo: } }', 'for empty fields use doesNotExist: true'],
  ['{ email: { isEqualTo: { a: b } } }', 'one value is expected here: a text, a number, true or false'],
  ['{ phone: { isEqualTo: +12025550123 } }', '+12025550123 is read as the number 12025550123; quote it'],
  ['[]', 'this must not be empty'],
];

test.each(mistakes)('a mistake in a filter: %s', async (filter, saying) => {
  const error = await loaded(filter).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof FatalError)) throw new Error('no FatalError was thrown');
  expect(error.message).toContain(saying);
  expect(error.message).toMatch(/^\S+filtered\.yaml:6:\d+: export\.contacts\.filter/);
  expect(error.message.split('\n')).toHaveLength(1);
});
