import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Question } from '../../wire/mapping.ts';
import { count } from '../figures.ts';
import { project } from '../project.ts';
import type { OpenMapping } from './open-mapping.ts';

/** What a draft has left open, each with a field for its answer. */
export function Questions({ open }: { readonly open: OpenMapping }) {
  const questions = open.shown.value?.questions ?? [];
  if (questions.length === 0) return null;
  return (
    <section aria-labelledby="questions-head">
      <h2 id="questions-head">Questions to answer ({count(questions.length)})</h2>
      <ol class="questions">
        {questions.map((question) => (
          <Answer key={`${question.path.join('\0')} ${question.value}`} {...{ question, open }} />
        ))}
      </ol>
    </section>
  );
}

function Answer({ question, open }: { readonly question: Question; readonly open: OpenMapping }) {
  const id = useId();
  const answer = useSignal('');
  const { path, value, question: words, line } = question;
  return (
    <li>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const text = answer.value.trim();
          if (text === '') return;
          void open.change({ kind: 'answer', path: [...path], question: value, answer: plainOf(text) });
        }}
      >
        <label for={id}>
          {words.slice(0, 1).toUpperCase() + words.slice(1)}{' '}
          <span class="note">
            {path.join(' › ')}, line {count(line)}
          </span>
        </label>
        <div class="with-button">
          <input
            id={id}
            value={answer}
            autocomplete="off"
            disabled={project.value.readOnly}
            onInput={({ currentTarget }) => (answer.value = currentTarget.value)}
          />
          <button type="submit" aria-disabled={answer.value.trim() === ''}>
            Answer
          </button>
          <button
            type="button"
            class="quiet"
            disabled={project.value.readOnly}
            onClick={() => void open.change({ kind: 'removeTarget', target: [...path] })}
          >
            Leave out
          </button>
        </div>
      </form>
    </li>
  );
}

/** As YAML would read it: `true`, `null`, a list in brackets, else a text. */
function plainOf(text: string) {
  if (/^\[.*\]$/.test(text))
    return text
      .slice(1, -1)
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean);
  if (text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  return text;
}
