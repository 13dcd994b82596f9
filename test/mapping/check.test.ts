import { expect, test } from 'vitest';
import {
  checkAgainstWorkspace,
  checkColumns,
  compileMapping,
  listFieldsToCreate,
  parseMapping,
} from '../../src/mapping/index.ts';
import type { CustomField } from '../../src/model/custom-field.ts';
import { rowOf } from './rows.ts';

const mapping = parseMapping(
  `mapping: a
key: Record ID
contact:
  email: { from: [Email, Other Email] }
  phone: { from: Phone, country: { from: Country } }
  lastName: { template: "{Last} {company.name}" }
customFields:
  Plan: { from: Plan, type: list, allowed: [gold, silver], create: true, slug: plan, description: What they pay }
  Score: { from: Score, type: number }
  Birthday: { from: DOB, type: date }
`,
  'm.yaml',
);

const all = [
  'Record ID',
  'Email',
  'Other Email',
  'Phone',
  'Country',
  'Last',
  'company.name',
  'Plan',
  'Score',
  'DOB',
];

function field(name: string, dataType: string, allowedValues?: readonly string[]): CustomField {
  return { id: 1, name, dataType, allowedValues };
}

const fields = [
  field('Plan', 'list', ['gold', 'silver']),
  field('Score', 'number'),
  field('Birthday', 'date'),
];

function lines(problems: ReturnType<typeof checkColumns>): readonly string[] {
  return problems.map(({ line, column, key, reason }) => `${line}:${column} ${key}: ${reason}`);
}

test('a header that has all columns is fine, and may have more', () => {
  expect(checkColumns(mapping, [...all, 'More'])).toEqual([]);
});

test('each column that is missing is named with its place and the nearest one', () => {
  const header = [
    'Record Id',
    'E-mail',
    'Other Email',
    'Phone',
    'Land',
    'last',
    'company',
    'Plan',
    'Score',
    'DOB',
  ];
  expect(lines(checkColumns(mapping, header))).toEqual([
    '2:1 key: the input has no column "Record ID"; did you mean "Record Id"?',
    '4:19 contact.email.from.0: the input has no column "Email"; did you mean "E-mail"?',
    `5:36 contact.phone.country.from: the input has no column "Country"; it has ${header.map((name) => JSON.stringify(name)).join(', ')}`,
    '6:15 contact.lastName.template: the input has no column "Last"; did you mean "last"?',
    `6:15 contact.lastName.template: the input has no column "company.name"; it has ${header.map((name) => JSON.stringify(name)).join(', ')}`,
  ]);
});

test('a workspace that has the fields is fine', () => {
  expect(checkAgainstWorkspace(mapping, { customFields: fields })).toEqual([]);
  expect(listFieldsToCreate(mapping, fields)).toEqual([]);
});

test('an unknown field, a wrong type and a value that is not there are named', () => {
  const workspace = [
    field('Plan', 'list', ['Gold', 'silver']),
    field('Scores', 'number'),
    field('Birthday', 'number'),
  ];
  expect(lines(checkAgainstWorkspace(mapping, { customFields: workspace }))).toEqual([
    '8:35 customFields.Plan.allowed: the workspace\'s field does not allow "gold"; did you mean "Gold"?',
    '9:3 customFields.Score: the workspace has no custom field "Score"; did you mean "Scores"? ("create: true" creates it)',
    '10:26 customFields.Birthday.type: the workspace\'s field is of type "number", not "date"',
  ]);
});

test('a field that only differs in case is not created a second time', () => {
  expect(
    lines(checkAgainstWorkspace(mapping, { customFields: [...fields.slice(1), field('PLAN', 'list')] })),
  ).toEqual(['8:3 customFields.Plan: the workspace has no custom field "Plan"; did you mean "PLAN"?']);
});

test('a text field takes what is sent as text, an unknown type whatever it is', () => {
  expect(
    checkAgainstWorkspace(mapping, {
      customFields: [field('Plan', 'text'), field('Score', 'stars'), field('Birthday', 'text')],
    }),
  ).toEqual([]);
  expect(
    checkAgainstWorkspace(mapping, {
      customFields: [field('Plan', 'text'), field('Score', 'text'), field('Birthday', 'text')],
    }),
  ).toHaveLength(1);
});

test('create: true says what to create', () => {
  expect(listFieldsToCreate(mapping, fields.slice(1))).toEqual([
    {
      name: 'Plan',
      dataType: 'list',
      slug: 'plan',
      description: 'What they pay',
      allowedValues: ['gold', 'silver'],
    },
  ]);
});

test("a list is compiled against the workspace's values", () => {
  const map = compileMapping(mapping, { customFields: [field('Plan', 'list', ['gold'])] });
  const result = map(rowOf({ Email: 'a@b.co', Plan: 'silver' }));
  expect(result.ok ? [] : result.problems.map(({ code }) => code)).toEqual(['customFields.Plan.notAllowed']);
  expect(map(rowOf({ Email: 'a@b.co', Plan: 'gold' })).ok).toBe(true);
});
