import type { DraftResult } from '../../wire/inputs.ts';
import { useSetDefaultImportPipeline } from '../import-pipelines.tsx';
import { rich, t } from '../language.ts';
import { wordQuestion } from '../mapping/question-words.ts';
import { ButtonLink } from '../parts/controls.tsx';
import { Notice } from '../parts/notice.tsx';
import { ExternalText, NoteList } from '../parts/shown-text.tsx';
import { buildHref } from '../place.ts';

/** Groups the positions of open questions by their text, because each value of a list has the same question. */
function grouped(todos: DraftResult['todos']): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const { file, line, question } of todos) {
    const { words } = wordQuestion(question);
    places.set(words, [...(places.get(words) ?? []), t('{file}, line {line, number}', { file, line })]);
  }
  return places;
}

function readText(n: number, broken: number): string {
  return broken > 0
    ? t(
        '{all, plural, one {# row} other {# rows}}: {n, number} can be read, {broken, number} cannot be read as rows.',
        { all: n + broken, n, broken },
      )
    : t('{n, plural, one {# row} other {# rows}} read.', { n });
}

/** The result of a draft: its files, notes and open questions. */
export function DraftSummary({ drafted }: { readonly drafted: DraftResult }) {
  const { mapping, pipeline, rows, broken, todos, notes } = drafted;
  useSetDefaultImportPipeline(pipeline.file);
  return (
    <>
      <Notice
        tone="good"
        message={rich('{mapping} and {pipeline} are written.', {
          mapping: <ExternalText text={mapping.file} />,
          pipeline: <ExternalText text={pipeline.file} />,
        })}
      >
        <p>
          {rows !== null && readText(rows, broken)}{' '}
          {todos.length === 0
            ? t('No questions are open.')
            : t('{n, plural, one {# question} other {# questions}} to answer.', { n: todos.length })}
        </p>
      </Notice>
      {todos.length > 0 && (
        <ol aria-label={t('Questions to answer')}>
          {[...grouped(todos)].map(([question, places]) => (
            <li key={question}>
              <ExternalText text={question} />{' '}
              <span class="note">
                <ExternalText text={places.join('; ')} />
              </span>
            </li>
          ))}
        </ol>
      )}
      <NoteList notes={notes} />
      <p class="buttons">
        <ButtonLink
          label={todos.length === 0 ? t('Open the mapping') : t('Answer the questions')}
          href={buildHref('mapping', mapping.file)}
        />
      </p>
    </>
  );
}
