import { expect, it } from 'vitest';
import { compileRowTracer, parseMapping } from '../../src/mapping/index.ts';
import { createLazyRow } from '../../src/sources/rows.ts';

const mapping = parseMapping(
  `mapping: trace
key: Id
contact:
  firstName: { template: "{First} {Middle}", case: title }
  email: { from: [Email, Second email] }
  phone: { from: Phone, country: { from: Country, default: US }, onInvalid: drop }
customFields:
  Plan:
    from: Plan
    html: true
    replace: { pattern: "^plan ", with: "" }
    values: { gold: Premium }
    type: list
    allowed: [Premium]
  Since: { from: Since, type: date, default: 2020-01-01 }
tags: { from: Tags, split: ";", values: { VIP: vip } }
conversation: { status: closed }
comments:
  - { name: note, text: "Was {Plan} since {Since}" }
`,
  'trace.yaml',
);

const trace = (cells: Readonly<Record<string, string | null>>) =>
  compileRowTracer(mapping)(createLazyRow(7, () => new Map(Object.entries(cells))));

it('İ is one letter in every case', () => {
  const { targets } = trace({ First: 'İBRAHİM', Middle: 'ALİ', Email: 'İBRAHİM@EXAMPLE.COM' });
  const textOf = (name: string) => targets.find(({ target }) => target === name)?.value;
  expect(textOf('contact.firstName')).toBe('İbrahim Ali');
  expect(textOf('contact.email')).toBe('ibrahim@example.com');
});

it('a row is traced through each step of each target', () => {
  const { line, isRejected, targets, problems } = trace({
    ...{
      Id: '1',
      First: 'ADA',
      Middle: 'M',
      Email: ' ',
      'Second email': 'Ada@Example.com',
      Phone: '12',
      Country: 'DE',
    },
    ...{ Plan: '<b>plan gold</b>', Since: null, Tags: 'VIP;b' },
  });
  expect([line, isRejected, problems]).toEqual([7, false, []]);
  const of = (name: string) => targets.find(({ target }) => target === name);
  expect(of('contact.firstName')).toEqual({
    target: 'contact.firstName',
    cells: [
      { column: 'First', cells: ['ADA'] },
      { column: 'Middle', cells: ['M'] },
    ],
    steps: [
      { step: 'template', texts: ['ADA M'] },
      { step: 'case', texts: ['Ada M'] },
    ],
    ...{ value: 'Ada M', isDefault: false, problems: [], notes: [] },
  });
  expect(of('contact.email')).toMatchObject({
    steps: [{ step: 'from', texts: ['Ada@Example.com'] }],
    value: 'ada@example.com',
  });
  expect(of('contact.phone')).toMatchObject({
    cells: [
      { column: 'Phone', cells: ['12'] },
      { column: 'Country', cells: ['DE'] },
    ],
    value: null,
    notes: [{ code: 'phone.invalid' }],
  });
  expect(of('customFields.Plan')).toMatchObject({
    steps: [
      { step: 'from', texts: ['<b>plan gold</b>'] },
      { step: 'html', texts: ['plan gold'] },
      { step: 'replace', texts: ['gold'] },
      { step: 'values', texts: ['Premium'] },
    ],
    value: 'Premium',
  });
  expect(of('customFields.Since')).toMatchObject({ value: '2020-01-01', isDefault: true });
  expect(of('tags')?.steps.map(({ texts }) => texts)).toEqual([['VIP;b'], ['VIP', 'b'], ['vip', 'b']]);
  expect(of('tags')?.value).toEqual(['vip', 'b']);
  expect(of('conversation')?.value).toEqual({ status: 'closed' });
  expect(of('comments')?.value).toEqual({ note: 'Was <b>plan gold</b> since' });
  expect(JSON.parse(JSON.stringify(targets))).toEqual(targets);
});

it('a rejected row shows what its other targets come to, and why it is rejected where', () => {
  const { isRejected, targets, problems } = trace({ First: 'Ada', Plan: 'silver' });
  expect(isRejected).toBe(true);
  expect(problems.map(({ code }) => code)).toEqual(['identity.missing']);
  const plan = targets.find(({ target }) => target === 'customFields.Plan');
  expect(plan).toMatchObject({ value: null, problems: [{ code: 'customFields.Plan.notAllowed' }] });
  expect(targets.find(({ target }) => target === 'contact.firstName')?.value).toBe('Ada');
  expect(targets.find(({ target }) => target === 'contact.email')?.cells[0]).toEqual({
    column: 'Email',
    cells: null,
  });
});

it('a row that passes without one of its values loses a value, and one whose value was only read with a default country does not', () => {
  const losesValue = (phone: string) => {
    const row = trace({ First: 'Ada', Email: 'ada@example.com', Phone: phone, Country: null });
    return [row.isRejected, row.losesValue];
  };
  expect(losesValue('call me')).toEqual([false, true]);
  expect(losesValue('(202) 456-1111')).toEqual([false, false]);
  expect(trace({ First: 'Ada', Phone: 'call me', Country: null })).toMatchObject({
    isRejected: true,
    losesValue: false,
  });
});
