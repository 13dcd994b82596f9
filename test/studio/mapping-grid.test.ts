import { expect, it } from 'vitest';
import { findYamlQuestions, outlineMapping } from '../../src/mapping/index.ts';
import { buildGridLines } from '../../src/studio/page/mapping/grid-lines.ts';
import { describeRule } from '../../src/studio/page/mapping/rule-words.ts';
import type { ColumnStatistics } from '../../src/studio/wire/mapping.ts';

function columnOf(name: string): ColumnStatistics {
  return {
    ...{ name, filled: 1, distinct: { n: 1, atLeast: false }, type: 'text', words: 'texts', longest: 1 },
    ...{ rule: { type: 'text' }, frequent: [], nulls: [] },
  };
}

function linesOf(text: string, names: readonly string[], { done = true, moreColumns = 0 } = {}) {
  return buildGridLines(
    { columns: names.map(columnOf), done, moreColumns },
    { outline: outlineMapping(text), questions: findYamlQuestions(text), conditions: [] },
  );
}

it('a question belongs to the line of the first column that its target reads', () => {
  const text = `key: "TODO: which one?"
contact:
  email: { from: "TODO: which column?" }
  phone: { from: [Mobile, Phone], country: { from: Land, default: "TODO: which country?" } }
lifecycle: { from: Stage, values: { Hot: "TODO: which stage?", Cold: "TODO: which stage?" } }
conversation: { status: closed, category: "TODO: which category?" }
comments:
  - { name: note, text: "{Notes}" }
  - { name: both, text: "{Notes} from {Land}" }
`;
  const lines = linesOf(text, ['Land', 'Mobile', 'Phone', 'Stage', 'Notes']);
  expect(
    lines.map(({ name, targets, alsoIn, questions }) => [
      name,
      targets.map((target) => target.name),
      alsoIn.map((target) => target.name),
      questions.map(({ path }) => path.join('.')),
    ]),
  ).toEqual([
    ['Land', [], ['contact.phone', 'comments'], []],
    ['Mobile', ['contact.phone'], [], ['contact.phone.country.default']],
    ['Phone', ['contact.phone'], [], []],
    ['Stage', ['lifecycle'], [], ['lifecycle.values.Hot', 'lifecycle.values.Cold']],
    ['Notes', ['comments'], ['comments'], []],
    ['Conversation', ['conversation'], [], ['conversation.category']],
    ['Comment: note', ['comments'], [], []],
    ['Comment: both', ['comments'], [], []],
  ]);
});

it('a column that the mapping reads and the input does not have is the first line, once all of the input is read', () => {
  const text =
    'contact: { email: { from: [Mail, Email] }, phone: { from: "phones[0]" } }\ntags: { from: Email }\n';
  const shown = (lines: ReturnType<typeof linesOf>) =>
    lines.map(({ name, isMissing, targets }) => [name, isMissing, targets.map((target) => target.name)]);
  expect(shown(linesOf(text, ['Mail', 'phones']))).toEqual([
    ['Email', true, ['contact.email', 'tags']],
    ['Mail', false, ['contact.email']],
    ['phones', false, []],
    ['phones[0]', false, ['contact.phone']],
  ]);
  expect(linesOf(text, ['Mail'], { done: false })).toHaveLength(1);
  expect(shown(linesOf(text, ['Mail'], { moreColumns: 1 }))[1]).toEqual([
    'Email',
    false,
    ['contact.email', 'tags'],
  ]);
});

it.each([
  [{ from: 'A' }, ''],
  [
    { from: 'A', type: 'date', formats: ['dd.MM.yyyy', "yyyy-MM-dd'T'HH:mm"] },
    'date, day.month.year, year-month-day',
  ],
  [{ from: 'A', type: 'date', formats: 'TODO: which order?' }, 'date'],
  [{ from: 'A', type: 'date', formats: ['epoch'] }, 'date, seconds since 1970'],
  [{ from: 'A', type: 'time', formats: ['HH:mm', 'h:mm a'] }, 'time, HH:mm, h:mm a'],
  [{ from: 'A', type: 'number', decimal: ',', thousands: '.' }, 'number, decimal comma'],
  [{ from: 'A', country: 'DE' }, 'Germany'],
  [{ from: 'A', country: { from: ['Land', 'State'], default: 'US' } }, 'country from Land or State'],
  [{ from: 'A', split: ';', values: { x: 'y' } }, 'cut at ";", 1 value translated'],
  [{ from: 'A', values: { x: 'y', z: null, q: 'TODO: which stage?' } }, '2 values translated'],
  [{ from: 'A', values: { q: 'TODO: which stage?' } }, ''],
  [{ from: 'A', part: 'given' }, 'the given name'],
  [{ from: 'A', part: 'family', familyFirst: true }, 'the family name, the family name first'],
  [{ template: '{A} {B}' }, 'a text'],
  ['TODO: what?', ''],
])('the words for %j are %j', (rule, words) => {
  expect(describeRule(rule)).toBe(words);
});
