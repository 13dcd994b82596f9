import { expect, test } from 'vitest';
import { parseMapping, runExamples } from '../../src/mapping/index.ts';

function run(tests: string): readonly (readonly [line: number, message: string])[] {
  const text = `mapping: a
contact:
  firstName: { from: First Name, default: Unknown }
  email: { from: Email }
customFields:
  Opted in: { from: Opt-in, type: checkbox, unchecked: ["no", ""] }
  Score: { from: Score, type: number }
tests:
${tests}`;
  const results = runExamples(parseMapping(text, 'm.yaml'));
  for (const { ok, message } of results) expect(ok).toBe(message === '');
  return results.map(({ line, message }) => [line, message]);
}

test('what is as expected passes: values, defaults, absence, rejections', () => {
  expect(
    run(`
  - row: { First Name: Ada, Email: " ADA@Example.com ", Opt-in: "yes" }
    expect: { contact: { firstName: Ada, email: ada@example.com }, customFields: { Opted in: true } }
  - row: { Email: ada@example.com, Score: 7 }
    expect: { contact: { firstName: Unknown, phone: null }, customFields: { Opted in: false, Score: "7" } }
  - row: { First Name: Bob, Email: not-an-address }
    rejects: email.invalid
`),
  ).toEqual([
    [10, ''],
    [12, ''],
    [14, ''],
  ]);
});

test('what is not is said with its line, what was expected and what came', () => {
  expect(
    run(`
  - row: { First Name: Ada, Email: ada@example.com, Score: 7 }
    expect: { contact: { firstName: Bob, lastName: L }, customFields: { Score: 8, Sore: 1 } }
  - row: { Email: nobody }
    expect: { contact: { email: nobody } }
  - row: { Email: ada@example.com }
    rejects: email.invalid
  - row: { Email: nobody }
    rejects: identity.missing
  - row: { Email: ADA@example.com }
    expect: { contact: { email: ADA@example.com } }
`),
  ).toEqual([
    [
      10,
      'test 1: firstName should be "Bob" and is "Ada"; lastName should be "L" and is absent; customFields.Score should be 8 and is 7; customFields.Sore is expected, and the mapping has no such field',
    ],
    [12, 'test 2: the row is rejected: email.invalid ("nobody" is not an e-mail address: it has no @.)'],
    [14, 'test 3: email.invalid should reject the row, and the row is accepted'],
    [16, 'test 4: identity.missing should reject the row, and email.invalid does'],
    [18, 'test 5: email should be "ADA@example.com" and is "ada@example.com"'],
  ]);
});

test('a mapping without tests has no results', () => {
  expect(runExamples(parseMapping('mapping: a\ncontact: { email: { from: E } }\n', 'm.yaml'))).toEqual([]);
});
