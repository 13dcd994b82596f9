import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { editMapping, type MappingEdit } from '../../../src/mapping/edit/edit-mapping.ts';
import { parseMapping } from '../../../src/mapping/index.ts';
import { some } from '../../long.ts';

const folder = fileURLToPath(new URL('../../../mappings', import.meta.url));
const shipped = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

function edited(text: string, edit: MappingEdit): string {
  const found = editMapping(text, edit);
  if (!found.ok) throw new Error(`${JSON.stringify(edit)}: ${found.reason}`);
  return found.text;
}

/** The lines that differ: between what both texts begin with and what both end with. */
function changedLines(before: string, after: string): { readonly out: string[]; readonly in: string[] } {
  const [one, other] = [before.split('\n'), after.split('\n')];
  let begin = 0;
  while (begin < one.length && one[begin] === other[begin]) begin += 1;
  let end = 0;
  while (end < one.length - begin && one.at(-1 - end) === other.at(-1 - end) && end < other.length - begin)
    end += 1;
  return { out: one.slice(begin, one.length - end), in: other.slice(begin, other.length - end) };
}

const comments = (text: string): string[] => text.split('\n').flatMap((line) => /^\s*#.*/.exec(line) ?? []);

const parts = ['tags', 'lifecycle', 'assignee', 'conversation', 'comments'];

/** Of each kind of target one, and in the long tests all. */
function targetsOf(text: string): readonly string[][] {
  const mapping = parse(text);
  const named = ['contact', 'customFields'].flatMap((part) =>
    some(Object.keys(mapping[part] ?? {}).map((name) => [part, name])),
  );
  return [...named, ...parts.filter((name) => name in mapping).map((name) => [name])];
}

describe.each(some(shipped, 5))('%s can be edited:', (name) => {
  const text = textOf(name);
  const value = parse(text);
  const targets = targetsOf(text);
  const ruled = targets.filter(([root]) => !['comments', 'conversation'].includes(root ?? ''));

  it('a target is removed with its lines alone', () => {
    for (const target of targets) {
      const without = edited(text, { kind: 'removeTarget', target });
      const { out, in: into } = changedLines(text, without);
      expect([target, into]).toEqual([target, []]);
      expect(without.split('\n').length + out.length).toBe(text.split('\n').length);
    }
  });

  it('a target that was removed is added again, and the mapping means the same', () => {
    for (const target of targets) {
      const rule = target.reduce((at, step) => at[step], value);
      const again = edited(edited(text, { kind: 'removeTarget', target }), {
        kind: 'setTarget',
        target,
        rule,
      });
      expect(parse(again)).toEqual(value);
      expect(comments(again).length).toBeGreaterThanOrEqual(comments(text).length - 3);
    }
  });

  it('a key is set, and all other lines stay', () => {
    for (const target of ruled) {
      for (const [key, value] of [
        [['from'], 'Other: column'],
        [['values', 'gold, or "silver"'], "it's\ntwo lines"],
        [['case'], 'lower'],
      ] as const) {
        const after = edited(text, { kind: 'setKey', target, key, value });
        expect(target.concat(key).reduce((at, step) => at[step], parse(after))).toBe(value);
        expect(comments(after)).toEqual(comments(text));
        const { out, in: into } = changedLines(text, after);
        expect(out.length + into.length).toBeLessThan(key[0] === 'from' ? 12 : 8);
      }
    }
  });

  it('a key that is set is removed again, and the text is the same', () => {
    for (const target of ruled) {
      const key = ['values', 'Never listed'];
      const rule = target.reduce((at, step) => at[step], value);
      const set = edited(text, { kind: 'setKey', target, key, value: 'Gold' });
      const removed = rule.values === undefined ? ['values'] : key;
      expect(edited(set, { kind: 'removeKey', target, key: removed })).toBe(text);
    }
  });

  it('a field and a test are added', () => {
    const target = ['customFields', 'Brand new: field'];
    const after = edited(text, {
      kind: 'setTarget',
      target,
      rule: { from: 'New', type: 'text', create: true },
    });
    expect(changedLines(text, after).out).toEqual([]);
    expect(parseMapping(after, name).mapping.customFields).toHaveProperty(['Brand new: field']);
    const test = { row: { Email: 'nobody' }, rejects: 'email.invalid' };
    const tested = edited(after, { kind: 'addTest', test });
    expect(changedLines(after, tested).out).toEqual([]);
    expect(parseMapping(tested, name).mapping.tests?.at(-1)).toEqual(test);
  });

  it('also with other line ends', () => {
    const windows = text.replaceAll('\n', '\r\n');
    for (const target of ruled) {
      const after = edited(windows, { kind: 'setKey', target, key: ['values', 'x'], value: 'y' });
      expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    }
  });
});

const small = `mapping: rows # its name
contact:
    # Who it is
    firstName: {from: Name}
    email:
        from: Email   # the work one
        values:
            none: null
    phone: { from: [Mobile, # first
                    Phone], country: "TODO: In which country?" }

tests:
- row: { Name: Ada }
  expect:
    contact: { firstName: Ada }
`;

describe('an edit', () => {
  it.each<[string, MappingEdit, string, string]>([
    [
      'sets a key in brackets',
      { kind: 'setKey', target: ['contact', 'firstName'], key: ['default'], value: 'Unknown' },
      '{from: Name}',
      '{from: Name, default: Unknown}',
    ],
    [
      'sets a value beside a comment',
      { kind: 'setKey', target: ['contact', 'email'], key: ['from'], value: ['Email', 'Mail'] },
      'from: Email   #',
      'from: [ Email, Mail ]   #',
    ],
    [
      'adds a value to a table',
      { kind: 'setKey', target: ['contact', 'email'], key: ['values', '1'], value: 'x' },
      'none: null\n',
      'none: null\n            "1": x\n',
    ],
    [
      'sets several entries of a table, new ones after those that are there',
      {
        kind: 'setEntries',
        ...{ target: ['contact', 'email'], key: ['values'] },
        entries: [
          ['b: c', 'x'],
          ['none', 'y'],
          ['-', null],
        ],
      },
      'none: null\n',
      'none: y\n            "b: c": x\n            "-": null\n',
    ],
    [
      'sets several entries of a table that is not there yet',
      {
        kind: 'setEntries',
        ...{ target: ['contact', 'firstName'], key: ['values'] },
        entries: [
          ['a, b', 'A'],
          ['1', null],
        ],
      },
      '{from: Name}',
      '{from: Name, values: { "1": null, "a, b": A }}',
    ],
    [
      'removes several entries of a table',
      {
        kind: 'removeEntries',
        ...{ target: ['contact', 'email'], key: ['values'], names: ['none'] },
      },
      '        values:\n            none: null\n',
      '',
    ],
    [
      'answers a question',
      {
        kind: 'answer',
        path: ['contact', 'phone', 'country'],
        question: 'TODO: In which country?',
        answer: 'DE',
      },
      '"TODO: In which country?"',
      'DE',
    ],
    [
      'sets what the mapping itself has',
      { kind: 'setKey', target: [], key: ['key'], value: 'Id' },
      '# its name\n',
      '# its name\n\nkey: Id\n',
    ],
    [
      'adds a test',
      { kind: 'addTest', test: { row: { Name: 'Bob' }, rejects: 'identity.missing' } },
      'firstName: Ada }\n',
      'firstName: Ada }\n- row: { Name: Bob }\n  rejects: identity.missing\n',
    ],
    [
      'removes from brackets',
      { kind: 'removeKey', target: ['contact', 'phone'], key: ['country'] },
      '], country: "TODO: In which country?" }',
      '] }',
    ],
    [
      'removes a whole table with its last value',
      { kind: 'removeKey', target: ['contact', 'email'], key: ['values', 'none'] },
      '        values:\n            none: null\n',
      '',
    ],
  ])('%s, and nothing else', (_what, edit, from, to) => {
    expect(small).toContain(from);
    expect(edited(small, edit)).toBe(small.replace(from, to));
  });

  it.each([
    ['Jane = jane@example.com', '{ Jane: jane@example.com }'],
    ['Jane Doe => jane@example.com; Bob -> 17;', '{ Jane Doe: jane@example.com, Bob: "17" }'],
    ['Jane\tjane@example.com\n"Bob"\tnull\n', '{ Jane: jane@example.com, Bob: null }'],
    ['Jane: jane@example.com', '{ Jane: jane@example.com }'],
    ["{ 'Jane': jane@example.com }", '{ Jane: jane@example.com }'],
    ['Jane = jane@example.com; Jane = jane@example.com', '{ Jane: jane@example.com }'],
  ])('reads the answer %j as a table where a text does not fit', (answer, table) => {
    const asked =
      'mapping: m\nkey: ID\ncontact:\n  email: { from: Email }\nassignee: { from: Owner, users: "TODO: Who?" }\n';
    const edit = { kind: 'answer', path: ['assignee', 'users'], question: 'TODO: Who?', answer } as const;
    expect(edited(asked, edit)).toBe(asked.replace('"TODO: Who?"', table));
  });

  it.each(['Jane', 'Jane = jane@example.com, and who is Bob?\nBob'])(
    'does not take %j for a table',
    (answer) => {
      const asked =
        'mapping: m\nkey: ID\ncontact:\n  email: { from: Email }\nassignee: { from: Owner, users: "TODO: Who?" }\n';
      const edit = { kind: 'answer', path: ['assignee', 'users'], question: 'TODO: Who?', answer } as const;
      expect(editMapping(asked, edit)).toMatchObject({
        ok: false,
        reason: expect.stringContaining('assignee.users'),
      });
    },
  );

  it('refuses a table with two different values for a name', () => {
    const asked =
      'mapping: m\nkey: ID\ncontact:\n  email: { from: Email }\nassignee: { from: Owner, users: "TODO: Who?" }\n';
    const answer = 'Jane = jane@example.com\nBob = 17\nJane = 18';
    const edit = { kind: 'answer', path: ['assignee', 'users'], question: 'TODO: Who?', answer } as const;
    expect(editMapping(asked, edit)).toEqual({
      ok: false,
      reason: 'This answer does not fit: it has two different values for Jane.',
    });
  });

  it.each<[string, MappingEdit, string]>([
    [
      'removes a target that is gone',
      { kind: 'removeTarget', target: ['tags'] },
      'not in the mapping any more',
    ],
    [
      'sets a key of a target that is gone',
      { kind: 'setKey', target: ['customFields', 'Plan'], key: ['from'], value: 'x' },
      'not in the mapping any more',
    ],
    [
      'answers a question that was answered',
      { kind: 'answer', path: ['contact', 'email', 'from'], question: 'TODO: Which?', answer: 'x' },
      'does not ask this any more',
    ],
    [
      'sets entries of a target that is gone',
      { kind: 'setEntries', target: ['tags'], key: ['values'], entries: [['a', 'b']] },
      'not in the mapping any more',
    ],
    [
      'sets entries where a single value is',
      { kind: 'setEntries', target: ['contact', 'email'], key: ['from'], entries: [['a', 'b']] },
      'contact.email.from holds a single value',
    ],
    [
      'sets an entry to a value that is invalid there',
      { kind: 'setEntries', target: ['contact', 'email'], key: ['values'], entries: [['a', ['b']]] },
      'This value does not fit',
    ],
    [
      'removes an entry that is gone',
      { kind: 'removeEntries', target: ['contact', 'email'], key: ['values'], names: ['none', 'none'] },
      'not in the mapping any more',
    ],
    [
      'sets a key of a single value',
      { kind: 'setKey', target: ['mapping'], key: ['from'], value: 'x' },
      'holds a single value',
    ],
  ])('is refused where it %s', (_what, edit, reason) => {
    const found = editMapping(small, edit);
    expect(found.ok ? '' : found.reason).toContain(reason);
  });

  it('is refused where the text has a mistake', () => {
    const found = editMapping('contact: {', { kind: 'removeTarget', target: ['tags'] });
    expect(found.ok ? '' : found.reason).toContain('Fix its text first');
  });

  it('sets thousands of entries at once, old and new', () => {
    const entriesOf = (value: string) =>
      Array.from({ length: 4_000 }, (_, n) => [`Name ${n}`, value] as const);
    const place = { kind: 'setEntries', target: ['contact', 'email'], key: ['values'] } as const;
    const before = edited(small, { ...place, entries: entriesOf('x').slice(0, 2_000) });
    const after = edited(before, { ...place, entries: entriesOf('y') });
    expect(parse(after).contact.email.values).toEqual({ none: null, ...Object.fromEntries(entriesOf('y')) });
    expect(after.replaceAll(/ {12}Name \d+: y\n/g, '')).toBe(small);
  });
});

describe('comments go to contacts that were there before, too', () => {
  const head = 'mapping: m\ncontact: { email: { from: E } }\n';
  const folded = `comments: # of the old system\n  # why\n  - name: a # first\n    text: |\n      One\n\n      {A}\n  - { name: b, text: "x\n      y" }\n\ntests: []\n`;

  it.each([
    ['a list', 'comments:\n- { name: a, text: "{A}" }\n- name: b\n  text: "{B}"\n'],
    ['a list with comments and texts of several lines', folded],
    ['a list within brackets', 'comments: [{ name: a, text: "{A}" }]\n'],
    ['a map', 'comments:\n  existing: skip # for now\n  entries:\n    - { name: a, text: "{A}" }\n'],
    ['a map without the key', 'comments: { entries: [{ name: a, text: "{A}" }] }\n'],
    ['a list with Windows line ends', folded.replaceAll('\n', '\r\n')],
  ])('as %s', (_, written) => {
    const text = head + written;
    const { comments: before, ...others } = parse(text);
    const entries = Array.isArray(before) ? before : before.entries;
    const sent = edited(text, { kind: 'sendCommentsToExisting', sends: true });
    expect(parse(sent)).toEqual({ ...others, comments: { existing: 'send', entries } });
    expect(comments(sent)).toEqual(comments(text).map((line) => expect.stringContaining(line.trim())));
    const skipped = edited(sent, { kind: 'sendCommentsToExisting', sends: false });
    expect(parse(skipped)).toEqual({ ...others, comments: { existing: 'skip', entries } });
  });

  it.each(shipped.filter((name) => 'comments' in parse(textOf(name))))('in %s', (name) => {
    const text = textOf(name);
    const sent = edited(text, { kind: 'sendCommentsToExisting', sends: true });
    expect(parseMapping(sent, name).mapping.comments).toMatchObject({ existing: 'send' });
    expect(comments(sent).map((line) => line.trim())).toEqual(comments(text).map((line) => line.trim()));
  });

  it('is refused without comments', () => {
    expect(editMapping(head, { kind: 'sendCommentsToExisting', sends: true })).toEqual({
      ok: false,
      reason: 'comments is not in the mapping any more.',
    });
  });
});
