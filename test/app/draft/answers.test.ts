import { afterAll, describe, expect, it } from 'vitest';
import { editMapping, findYamlQuestions, parseMapping } from '../../../src/mapping/index.ts';
import { drafted, removeFolders } from './drafting.ts';

afterAll(removeFolders);

/** A file that makes a draft ask every kind of question that a mapping can have. */
const asking = [
  'Code 2;Name;Phone;Born;Wert;Stage;Owner;Last Name',
  ...[1, 2, 3, 4].map(
    (n) => `x${n};Ada Muster;(202) 555-014${n};0${n}/04/1990;1,23${n};lead;Jane;${n < 4 ? 'unknown' : 'Lee'}`,
  ),
].join('\n');

/** Puts an answer in place of a question, as the studio does. */
function answer(text: string, piece: string, typed: string) {
  const question = findYamlQuestions(text).find((each) => each.question.includes(piece));
  if (question === undefined) throw new Error(`${piece} is not asked`);
  return editMapping(text, { kind: 'answer', path: question.path, question: question.value, answer: typed });
}

const accepted: readonly (readonly [piece: string, typed: readonly string[]])[] = [
  ['identifies a row', ['Code 2', 'false']],
  ['stand for nothing', ['unknown', '"unknown"', 'null']],
  ['which country', ['DE', 'US']],
  ['in March or in April', ['[M/d/yyyy]', '[d/M/yyyy]']],
  ['one thousand two hundred', [',', '","', '"."']],
  ['which stage', ['New Lead', 'null']],
  ['the owners are', ['{ Jane: jane@example.com }', "{ 'Jane': jane@example.com }", '{ Jane: null }', '{}']],
];

const refused: readonly (readonly [piece: string, typed: readonly string[]])[] = [
  ['identifies a row', ['[a, b]', 'true']],
  ['which country', ['nowhere', 'null', '{ a: b }']],
  ['in March or in April', ['month first', 'mm/dd', '[DD/MM/YYYY]']],
  ['one thousand two hundred', ['the second']],
  ['the owners are', ['Jane is jane@example.com', 'null', '[jane@example.com]', '{ Jane: [a] }']],
];

describe('an answer to a question of a draft', () => {
  it.each(accepted.flatMap(([piece, all]) => all.map((typed) => [piece, typed] as const)))(
    'to "%s" that is %s is taken, and the mapping is valid once all are answered',
    async (piece, typed) => {
      const { draft } = await drafted(asking);
      let text = draft.mapping.text;
      for (const [other, [usual = '']] of accepted) {
        const edited = answer(text, other, other === piece ? typed : usual);
        expect(edited).toMatchObject({ ok: true });
        if (edited.ok) text = edited.text;
      }
      expect(findYamlQuestions(text)).toEqual([]);
      expect(() => parseMapping(text, 'mapping.yaml')).not.toThrow();
    },
  );

  it.each(refused.flatMap(([piece, all]) => all.map((typed) => [piece, typed] as const)))(
    'to "%s" that is %s would make the mapping invalid: it is refused with the reason',
    async (piece, typed) => {
      const { draft } = await drafted(asking);
      expect(answer(draft.mapping.text, piece, typed)).toEqual({
        ok: false,
        reason: expect.stringMatching(/^This answer does not fit\. \S+: ./),
      });
    },
  );
});
