import type { MistakeSample } from './mistakes.ts';

const head = 'mapping: a\ncontact:\n  email: { from: E }\n';
const union = '"union" joins texts, and this is not a text: use first, last or longest';

/** What the schema forbids of keep, and of what belongs to a contact beside its fields. */
export const belongingMistakes: readonly MistakeSample[] = [
  ...['firstName', 'language', 'profilePic', 'countryCode', 'phone'].map(
    (name): MistakeSample => [
      `union of ${name}`,
      `${head}  ${name}: { from: X, keep: ¦union }\n`,
      `contact.${name}.keep: ${union}`,
    ],
  ),
  [
    'union of e-mail addresses',
    'mapping: a\ncontact:\n  email: { from: E, keep: ¦union }\n',
    `contact.email.keep: ${union}`,
  ],
  ...['number', 'email', 'url', 'list', 'date', 'time', 'checkbox'].map(
    (type): MistakeSample => [
      `union of a ${type}`,
      `${head}customFields:\n  F: { from: X, type: ${type}, keep: ¦union }\n`,
      `customFields.F.keep: ${union}`,
    ],
  ),
  ['tags from nowhere', `${head}¦tags: { split: ";" }\n`, 'tags.from: the key "from" is missing'],
  [
    'tags for nowhere',
    `${head}tags: { from: T, attach: ¦field }\n`,
    'tags.attach: attach is file, extension or customField:NAME',
  ],
  [
    'tags in a field that has a rule',
    `${head}customFields: { F: { from: X, type: text } }\ntags: { from: T, attach: ¦"customField:F" }\n`,
    'tags.attach: the custom field "F" also has a rule in customFields: keep one',
  ],
  [
    'a misspelt option of tags',
    `${head}tags: { from: T, ¦splt: ";" }\n`,
    'tags.splt: the key "splt" is not known here; did you mean "split"?',
  ],
  [
    'a lifecycle from nowhere',
    `${head}¦lifecycle: { empty: clear }\n`,
    'lifecycle: the value has no source: set from, template or default',
  ],
  [
    'a value that is no stage',
    `${head}lifecycle: { from: S, stages: [New Lead], values: { x: ¦New Led } }\n`,
    'lifecycle.values.x: "New Led" is not one of the stages; did you mean "New Lead"?',
  ],
  [
    'a default that is no stage',
    `${head}lifecycle: { from: S, stages: [New Lead], default: ¦Customer }\n`,
    'lifecycle.default: "Customer" is not one of the stages',
  ],
  [
    'a stage twice',
    `${head}lifecycle: { from: S, stages: [Lead, ¦lead] }\n`,
    'lifecycle.stages.1: this stage is listed twice',
  ],
  [
    'an assignee that is no user',
    `${head}assignee: { from: O, unknown: ¦true }\n`,
    'assignee.unknown: "unassigned" or "reject" or text or a number is expected here, not true; quote it: "true"',
  ],
  [
    'a summary without a category',
    `${head}conversation: { status: closed, summary: ¦"{S}" }\n`,
    'conversation.summary: a summary needs a category: without one the workspace does not use it',
  ],
  [
    'a category of an open conversation',
    `${head}conversation: { status: open, category: ¦Won }\n`,
    'conversation.category: only a conversation that is closed has a category',
  ],
  [
    'a summary that mentions',
    `${head}assignee: { from: O }\nconversation: { status: closed, category: C, summary: ¦"{mention: assignee}" }\n`,
    'conversation.summary: only a comment can mention a user',
  ],
  [
    'a comment without a name',
    `${head}comments:\n  - ¦text: hello\n`,
    'comments.0: a comment needs a name: it is remembered by it',
  ],
  [
    'a comment without a name under entries',
    `${head}comments:\n  entries:\n    - { name: a, text: hello }\n    - ¦{ text: hello }\n`,
    'comments.entries.1: a comment needs a name: it is remembered by it',
  ],
  [
    'two comments of one name',
    `${head}comments:\n  - { name: a, text: x }\n  - { name: ¦a, text: y }\n`,
    'comments.1.name: another comment is named "a"; names must differ',
  ],
  [
    'a name with a colon',
    `${head}comments: [{ name: ¦"a:b", text: x }]\n`,
    'comments.0.name: a name must not have a colon, which separates it from the key',
  ],
  [
    'an order of one comment',
    `${head}comments: [{ name: a, text: x, order: ¦D }]\n`,
    'comments.0.order: "order" orders the comments of "each", and this is a single one',
  ],
  [
    'a mention of somebody else',
    `${head}assignee: { from: O }\ncomments: [{ name: a, text: ¦"{mention: owner}" }]\n`,
    'comments.0.text: only the assignee can be mentioned, as {mention: assignee}, not "owner"',
  ],
  [
    'a mention without an assignee',
    `${head}comments: { entries: [{ name: a, text: ¦"{mention: assignee}" }] }\n`,
    'comments.entries.0.text: no user can be mentioned: the mapping has no assignee',
  ],
  [
    'a misspelt part in a test',
    `${head}tests:\n  - row: {}\n    expect: { ¦lifecyle: A }\n`,
    'tests.0.expect.lifecyle: the key "lifecyle" is not known here; did you mean "lifecycle"?',
  ],
];
