import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../src/mapping/document/parse-yaml.ts';
import { editMapping } from '../../src/mapping/edit/edit-mapping.ts';
import { outlineMapping } from '../../src/mapping/edit/outline.ts';
import { findYamlQuestions } from '../../src/mapping/edit/questions.ts';
import { parseMapping } from '../../src/mapping/index.ts';
import { FatalError } from '../../src/model/fatal-error.ts';
import { belongingMistakes } from './belonging-mistakes.ts';
import { ruleMistakes, yamlMistakes } from './mistakes.ts';

function errorOf(text: string): FatalError {
  try {
    parseMapping(text, 'm.yaml');
  } catch (error) {
    if (error instanceof FatalError) return error;
    throw error;
  }
  throw new Error('The mapping has no mistake.');
}

function placeOf(marked: string): { readonly line: number; readonly column: number } {
  const before = marked.slice(0, marked.indexOf('¦')).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

describe('a mistake is said with line and column', () => {
  test.each([...yamlMistakes, ...ruleMistakes, ...belongingMistakes])('%s', (_what, marked, said) => {
    const error = errorOf(marked.replace('¦', ''));
    const { line, column } = placeOf(marked);
    expect(error.reason).toBe('usage');
    expect(error.place).toMatchObject({ file: 'm.yaml', line, column });
    const whole = `m.yaml:${line}:${column}: ${said}`;
    expect(said.endsWith(': ') ? error.message.slice(0, whole.length) : error.message).toBe(whole);
  });
});

test('all mistakes of a file are said together, in the order of the file', () => {
  const { message } = errorOf(`mapping: a
contact:
  email: { from: E }
customFields:
  F: { from: X, type: lst }
  G: { frm: X, type: text }
tests:
  - row: { P: +60123456789 }
identify: [mail]
mapping: b
`);
  expect(message.split('\n').map((line) => line.slice(0, 40))).toEqual([
    'm.yaml:5:23: customFields.F.type: the te',
    'm.yaml:6:8: customFields.G.frm: the key ',
    'm.yaml:8:5: tests.0: a test has either e',
    'm.yaml:8:15: tests.0.row.P: +60123456789',
    'm.yaml:9:12: identify.0: the text "mail"',
    'm.yaml:10:1: duplicate key "mapping"; remove one'.slice(0, 40),
  ]);
});

test.each(['[', '{', '- ', '? ', '{a: ', '[[{'])(
  'a hundred thousand times %j is refused, not a crash',
  (part) => {
    expect(errorOf(part.repeat(100_000)).message).toBe('m.yaml:1:1: the file is nested too deeply');
  },
);

test('no text at all makes loading throw anything but a FatalError', () => {
  const part = fc.constantFrom(
    'mapping: a\n',
    'contact:\n',
    '  email: ',
    '{ from: E }\n',
    '- ',
    '? ',
    '&a ',
    '*a',
    '!!str ',
    '"',
    '|\n',
    '{',
    '}',
    '[',
    ']',
    ': ',
    '\n',
    '  ',
    '#',
    '---\n',
    '<<: ',
    '+60123456789',
    'null',
    '\u0000',
    '😀',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      try {
        parseMapping(parts.join(''), 'm.yaml');
      } catch (error) {
        expect(error).toBeInstanceOf(FatalError);
      }
    }),
    { numRuns: 500 },
  );
});

test('a long list or map on one line, as programs write it, is not deep', () => {
  const columns = Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => [`f${n}`, { from: `C${n}`, type: 'text' }]),
  );
  const text = JSON.stringify({
    mapping: 'wide',
    identify: ['email'],
    contact: { firstName: { from: 'N' }, email: { from: 'E' } },
    customFields: columns,
  });
  expect(() => parseMapping(text, 'm.yaml')).not.toThrow();
});

test('deep indentation is refused on its line', () => {
  const lines = Array.from({ length: 100 }, (_, depth) => `${' '.repeat(depth)}a:`);
  expect(errorOf(lines.join('\n')).message).toBe('m.yaml:65:1: the file is nested too deeply');
});

describe('a long text', () => {
  test('is parsed in a time that grows with its length, with its duplicate key named', () => {
    const keys = Array.from({ length: 40_000 }, (_, n) => `  key${n}: value ${n}`);
    const text = `mapping: m\nvalues:\n${keys.join('\n')}\n  key7: again\n`;
    // Comparing each key with all others took minutes.
    const [mistake] = parseYaml(text).mistakes;
    expect(mistake).toMatchObject({
      line: 40_003,
      reason: expect.stringContaining('duplicate key "key7"; remove one'),
    });
  });

  test.each([
    ['an alias', 'mapping: m\nkey: &a ID\ncontact: { email: *a }\n', 'aliases'],
    ['a hundred thousand brackets', `mapping: ${'['.repeat(100_000)}\n`, 'nested too deeply'],
    ['a duplicate key', 'mapping: m\nmapping: n\n', 'mapping'],
  ])('with %s is refused by the edits of the studio as by check', (_, text, says) => {
    expect(
      parseYaml(text)
        .mistakes.map(({ reason }) => reason)
        .join(),
    ).toContain(says);
    expect(outlineMapping(text)).toBeNull();
    const edited = editMapping(text, {
      kind: 'setTarget',
      target: ['contact', 'phone'],
      rule: { from: 'Phone' },
    });
    expect(edited).toMatchObject({ ok: false, reason: expect.stringContaining(says) });
    expect(findYamlQuestions(text)).toEqual([]);
  });
});
