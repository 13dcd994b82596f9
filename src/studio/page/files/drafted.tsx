import type { DraftResult } from '../../wire/inputs.ts';
import { formatCount, formatCountWithNoun } from '../figures.ts';
import { useSetDefaultImportPipeline } from '../import-pipelines.tsx';
import { Notice } from '../parts/notice.tsx';
import { ExternalText } from '../parts/shown-text.tsx';
import { buildHref } from '../place.ts';

/** Groups the positions of open questions by their text, because each value of a list has the same question. */
function grouped(todos: DraftResult['todos']): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const { file, line, question } of todos)
    places.set(question, [...(places.get(question) ?? []), `${file}, line ${formatCount(line)}`]);
  return places;
}

/** The result of a draft: its files, notes and open questions. */
export function DraftSummary({ drafted }: { readonly drafted: DraftResult }) {
  const { mapping, pipeline, rows, broken, todos, notes } = drafted;
  useSetDefaultImportPipeline(pipeline.file);
  return (
    <div class="drafted">
      <Notice tone="good">
        <p class="message">
          <ExternalText text={mapping.file} /> and <ExternalText text={pipeline.file} /> are written.
        </p>
        <p>
          {rows !== null &&
            `${formatCountWithNoun(rows, 'row')} read${broken > 0 ? `, ${formatCount(broken)} of them broken` : ''}. `}
          {todos.length === 0
            ? 'No questions are open.'
            : `${formatCountWithNoun(todos.length, 'question')} to answer.`}
        </p>
      </Notice>
      {todos.length > 0 && (
        <ol class="questions" aria-label="Questions to answer">
          {[...grouped(todos)].map(([question, places]) => (
            <li key={question}>
              <ExternalText text={question.slice(0, 1).toUpperCase() + question.slice(1)} />{' '}
              <span class="share">
                <ExternalText text={places.join('; ')} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>
              <ExternalText text={note} />
            </li>
          ))}
        </ul>
      )}
      <p class="buttons">
        <a class="button" href={buildHref('mapping', mapping.file)}>
          {todos.length === 0 ? 'Open the mapping' : 'Answer the questions'}
        </a>
      </p>
    </div>
  );
}
