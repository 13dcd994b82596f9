import { afterAll, expect, it } from 'vitest';
import { formatSourceSystemQuestion } from '../../src/app/draft/pipeline-text.ts';
import { answerYamlQuestion, editMapping, findYamlQuestions } from '../../src/mapping/index.ts';
import { pipelineSchema } from '../../src/pipeline/schema.ts';
import { wordQuestion } from '../../src/studio/page/mapping/question-words.ts';
import { drafted, removeFolders } from '../app/draft/drafting.ts';

afterAll(removeFolders);

/** A file that makes a draft ask every kind of question that a mapping can have, and which rows are too short. */
const asking = [
  'Code 2;Name;Phone;Born;Wert;Stage;Owner;Last Name;Country',
  ...[1, 2, 3, 4].map(
    (n) =>
      `x${n};Ada Muster;(202) 555-014${n};0${n}/04/1990;1,23${n};lead;Jane;${n < 4 ? 'unknown' : 'Lee'};${n < 3 ? 'Germany' : 'Narnia'}`,
  ),
  'x5;Eve Short;(202) 555-0145;05/04/1990;1,235;lead;Jane;Lee',
].join('\n');

const nameless = 'a;b;c\n1;x y;12\n2;z;13\n';

/** What a person would have to type in YAML. */
const typed = /\bwrite\b|\bnull\b|\bGive its\b|\bmap each\b|\{|\[|"/i;

it('every question of a draft is asked in words of the page, and its choices are accepted as answers', async () => {
  const choices: string[] = [];
  const words: string[] = [];
  for (const input of [asking, nameless]) {
    const { draft } = await drafted(input);
    for (const { text } of [draft.mapping, draft.pipeline])
      for (const { path, value, question } of findYamlQuestions(text)) {
        const worded = wordQuestion(question);
        words.push(worded.words);
        for (const { label, answer } of worded.choices ?? []) {
          choices.push(label);
          const edit = { kind: 'answer', path, question: value, answer } as const;
          const edited =
            text === draft.mapping.text
              ? editMapping(text, edit)
              : answerYamlQuestion(text, edit, { schema: pipelineSchema, what: 'pipeline' });
          expect([label, edited.ok]).toEqual([label, true]);
        }
      }
  }
  expect(words.filter((each) => typed.test(each))).toEqual([]);
  expect([...new Set(choices)].sort()).toEqual([
    'A number with decimals',
    'Import short rows: what is missing at their end is empty',
    'More than a thousand',
    'No: import it as it is',
    'Reject these rows and list them',
    'The day comes first',
    'The month comes first',
    'Yes: leave it empty',
  ]);
});

it('short rows that lack a cell in the middle can only be rejected', () => {
  const { words, choices } = wordQuestion(
    '2 of 40 rows (5 %) have more or fewer cells than the header, and not at the end of the row: pad would move values into wrong columns ("City", "Zip"); write reject to list them',
  );
  expect(words).toContain('2 of 40 rows (5%)');
  expect(words).toContain('("City", "Zip")');
  expect(choices?.map(({ answer }) => answer)).toEqual(['reject']);
});

it.each([undefined, 'people'])('the system of the file is the earlier one, or another name (%s)', (other) => {
  const question = formatSourceSystemQuestion('crm-1', { run: 'R1', at: 0, keys: 1_200 }, other);
  const worded = wordQuestion(question.replace(/^TODO: /, ''));
  expect(worded.words).toContain('1,200 keys');
  expect(worded.choices).toEqual([{ label: 'The same system: crm-1', answer: '"crm-1"' }]);
  expect(worded.otherSystem).toBe(other ?? '');
});
