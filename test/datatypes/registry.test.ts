import { describe, expect, test } from 'vitest';
import { dataTypeNames, dataTypes, findDataType } from '../../src/datatypes/index.ts';
import { type Samples, samples } from './samples.ts';

test('a data type is found by its name', () => {
  for (const name of dataTypeNames) expect(findDataType(name)).toBe(dataTypes[name]);
  expect(findDataType('signature')).toBeUndefined();
});

test('a birthday without its year is called that', () => {
  for (const cell of ['--05-14', '--0514'])
    expect(dataTypes.date.reader({}, {}).read(cell)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/is a day and a month without a year.*type text keeps it/),
    });
});

describe.each(dataTypeNames)('%s', (name) => {
  const { reads, refuses, same, different }: Samples = samples[name];
  const dataType = dataTypes[name];
  const reading = (cell: string, rule: object = {}) => dataType.reader(rule, {}).read(cell);

  test.each(reads.map(([cell, value, rule]) => ({ cell, value, rule })))(
    'reads $cell as $value ($rule)',
    (each) => {
      expect(reading(each.cell, each.rule)).toEqual({ ok: true, value: each.value });
    },
  );

  test.each(refuses.map(([cell, saying, rule]) => ({ cell, saying, rule })))(
    'refuses $cell, saying "$saying" ($rule)',
    (each) => {
      expect(reading(each.cell, each.rule)).toMatchObject({
        ok: false,
        reason: expect.stringContaining(each.saying),
      });
    },
  );

  test('what it reads is the same when it is read back as a string', () => {
    for (const [cell, value] of reads) {
      if (value === '') continue;
      expect(dataType.same(String(value), value), cell).toBe(true);
    }
  });

  test.each(same)('reading %j back is %j', (readBack, wanted) => {
    expect(dataType.same(readBack, wanted)).toBe(true);
  });

  test.each(different)('reading %j back is not %j', (readBack, wanted) => {
    expect(dataType.same(readBack, wanted)).toBe(false);
  });

  test('null, absent and empty are one, and no value', () => {
    const [[, value] = ['', '']] = reads;
    for (const nothing of [null, undefined, '']) {
      expect(dataType.same(nothing, null)).toBe(true);
      expect(dataType.same(nothing, value)).toBe(false);
      expect(dataType.same(String(value), null)).toBe(false);
    }
  });

  test('describes every option', () => {
    for (const [key, option] of Object.entries(dataType.options.shape)) {
      expect(option.description, key).toBeTruthy();
    }
  });
});

test('a list is checked against the values that the workspace allows, too', () => {
  const { read } = dataTypes.list.reader({ allowed: ['gold', 'silver'] }, { allowedValues: ['gold'] });
  expect(read('gold')).toEqual({ ok: true, value: 'gold' });
  expect(read('silver')).toMatchObject({
    ok: false,
    problem: 'notAllowed',
    reason: expect.stringContaining('the workspace allows'),
  });
});

test('only a checkbox that lists "" reads an empty cell', () => {
  expect(dataTypes.checkbox.reader({ unchecked: ['no', ''] }, {}).readsEmpty).toBe(true);
  for (const name of dataTypeNames) expect(dataTypes[name].reader({}, {}).readsEmpty).toBe(false);
});
