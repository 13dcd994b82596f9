import { describe, expect, test } from 'vitest';
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

describe('a slug that another field has is named', () => {
  const slugs = (...rules: string[]) =>
    parseMapping(
      `mapping: s\ncontact: { email: { from: Email } }\ncustomFields:\n${rules.map((rule) => `  ${rule}\n`).join('')}`,
      'm.yaml',
    );
  const created = (name: string, slug: string) =>
    `${name}: { from: X, type: text, create: true, slug: ${slug} }`;
  const found = (loaded: ReturnType<typeof slugs>, customFields: readonly CustomField[]) =>
    lines(checkAgainstWorkspace(loaded, { customFields }));

  test('if it is the slug of a field of the workspace, with a free one', () => {
    const taken = [
      { ...field('Отдел', 'text'), slug: 'field' },
      { ...field('Other', 'text'), slug: 'field_2' },
    ];
    expect(found(slugs(created('Город', 'field')), taken)).toEqual([
      `4:47 customFields.Город.slug: the workspace's field "Отдел" has the slug "field" already; write another one here, such as field_3`,
    ]);
    expect(found(slugs(created('Город', 'field_3')), taken)).toEqual([]);
  });

  test('if a field of the workspace most likely has it, by its name', () => {
    const rule = slugs(created('E-Mail Opt', 'e_mail_opt'));
    expect(found(rule, [field('E-mail: opt', 'checkbox')])).toEqual([
      `4:52 customFields.E-Mail Opt.slug: the workspace's field "E-mail: opt" most likely has the slug "e_mail_opt" already; write another one here, such as e_mail_opt_2`,
    ]);
    expect(found(rule, [{ ...field('E-mail: opt', 'checkbox'), slug: 'other' }])).toEqual([]);
  });

  test('if an existing field got it from the mapping', () => {
    const both = slugs(created('Alpha', 'same'), created('Omega', 'same'));
    expect(found(both, [field('Alpha', 'text')])).toEqual([
      expect.stringContaining('"Alpha" most likely has the slug "same" already'),
    ]);
  });

  test('if two fields that are to be created have it, also in another case', () => {
    expect(found(slugs(created('Alpha', 'same'), created('Omega', 'Same')), [])).toEqual([
      `5:47 customFields.Omega.slug: "Alpha" has the slug "Same" already; write another one here, such as Same_2`,
    ]);
  });

  test('and not the slug of a field that is there, or whose name does not show it', () => {
    expect(found(slugs(created('Plan', 'plan')), [field('Plan', 'text')])).toEqual([]);
    expect(found(slugs(created('City', 'field')), [field('Город', 'text')])).toEqual([]);
  });
});

test("a list is compiled against the workspace's values", () => {
  const map = compileMapping(mapping, { customFields: [field('Plan', 'list', ['gold'])] });
  const result = map(rowOf({ Email: 'a@b.co', Plan: 'silver' }));
  expect(result.ok ? [] : result.problems.map(({ code }) => code)).toEqual(['customFields.Plan.notAllowed']);
  expect(map(rowOf({ Email: 'a@b.co', Plan: 'gold' })).ok).toBe(true);
});
