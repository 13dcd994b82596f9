import type { DraftResult } from '../../wire/inputs.ts';
import { count, counted } from '../figures.ts';
import { Notice } from '../parts/notice.tsx';
import { ShownText } from '../parts/shown-text.tsx';
import { hrefOf } from '../place.ts';

/** What a draft has written, and what it asks. */
export function Drafted({ drafted }: { readonly drafted: DraftResult }) {
  const { mapping, pipeline, rows, broken, todos, notes } = drafted;
  return (
    <div class="drafted">
      <Notice tone="good">
        <p class="message">
          <ShownText text={mapping.file} /> and <ShownText text={pipeline.file} /> are written.
        </p>
        <p>
          {rows !== null &&
            `${counted(rows, 'row')} read${broken > 0 ? `, ${count(broken)} of them broken` : ''}. `}
          {todos.length === 0 ? 'No questions are open.' : `${counted(todos.length, 'question')} to answer.`}
        </p>
      </Notice>
      {todos.length > 0 && (
        <ol class="questions" aria-label="Questions to answer">
          {todos.map(({ file, line, question }) => (
            <li key={`${file} ${line}`}>
              <ShownText text={question} />{' '}
              <span class="share">
                <ShownText text={file} />, line {count(line)}
              </span>
            </li>
          ))}
        </ol>
      )}
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>
              <ShownText text={note} />
            </li>
          ))}
        </ul>
      )}
      <p class="buttons">
        <a class="button" href={hrefOf('mapping', mapping.file)}>
          {todos.length === 0 ? 'Open the mapping' : 'Answer the questions'}
        </a>
      </p>
    </div>
  );
}
