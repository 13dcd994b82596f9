import { describe, expect, test } from 'vitest';
import { parseMapping, runMappingExamples } from '../../src/mapping/index.ts';

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
  const results = runMappingExamples(parseMapping(text, 'm.yaml'));
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
      'test 1: firstName should be "Bob" but is "Ada"; lastName should be "L" but is absent; customFields.Score should be 8 but is 7; customFields.Sore is expected, and the mapping has no such field',
    ],
    [12, 'test 2: the row is rejected: email.invalid ("nobody" is not an e-mail address: it has no @.)'],
    [14, 'test 3: email.invalid should reject the row, but the row is accepted'],
    [16, 'test 4: identity.missing should reject the row, but email.invalid does'],
    [18, 'test 5: email should be "ADA@example.com" but is "ada@example.com"'],
  ]);
});

test('a mapping without tests has no results', () => {
  expect(runMappingExamples(parseMapping('mapping: a\ncontact: { email: { from: E } }\n', 'm.yaml'))).toEqual(
    [],
  );
});

describe('what belongs to a contact', () => {
  const text = (tests: string): string => `mapping: a
contact: { email: { from: E } }
tags: { from: T, split: ";", attach: "customField:Legacy tags" }
lifecycle: { from: S, default: New Lead, stages: [New Lead, Customer] }
assignee: { from: O, users: { Jane: jane@acme.test } }
conversation: { status: closed, category: Migrated, summary: "No. {ID}" }
comments: [{ name: origin, text: "No. {ID} of {mention: assignee}" }, { name: note, key: N, text: "{B}" }]
tests:
${tests}`;
  const messages = (tests: string): readonly string[] =>
    runMappingExamples(parseMapping(text(tests), 'm.yaml')).map(({ message }) => message);

  test('is compared where a test names it', () => {
    expect(
      messages(`
  - row: { E: a@b.co, ID: 7, T: "b;2024;B", S: customer, O: Jane, N: 3, B: Called }
    expect:
      tags: [b, 2024]
      customFields: { Legacy tags: b; 2024 }
      lifecycle: Customer
      assignee: jane@acme.test
      conversation: { status: closed, category: Migrated, summary: No. 7 }
      comments: { origin: No. 7 of Jane, "note:3": Called }
  - row: { E: a@b.co }
    expect:
      tags: []
      customFields: { Legacy tags: null }
      lifecycle: New Lead
      assignee: null
      conversation: { summary: null }
      comments: { origin: null, note: null }
  - row: { E: a@b.co, T: a;b;c;d;e;f;g;h;i;j;k }
    rejects: tags.tooMany
  - row: { E: a@b.co, S: Lost }
    rejects: lifecycle.unknown
  - row: { E: a@b.co }
    expect: {}
`),
    ).toEqual(['', '', '', '', '']);
  });

  test('is said where it is not as expected', () => {
    expect(
      messages(`
  - row: { E: a@b.co, ID: 7, T: a;b, O: Jane }
    expect:
      tags: [b, a]
      customFields: { Legacy tags: a }
      lifecycle: null
      assignee: Jane
      conversation: { status: open, summary: null }
      comments: { origin: null, note: Called }
`),
    ).toEqual([
      'test 1: customFields.Legacy tags should be "a" but is "a; b"; tags should be ["b","a"] but is ["a","b"]; lifecycle should be absent but is "New Lead"; assignee should be "Jane" but is "jane@acme.test"; conversation.status should be "open" but is "closed"; conversation.summary should be absent but is "No. 7"; comments.origin should be absent but is "No. 7 of Jane"; comments.note should be "Called" but is absent',
    ]);
  });
});
