import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { MappingEditRequest, YamlQuestion } from '../../wire/mapping.ts';
import { formatCount } from '../figures.ts';
import { buildHref } from '../place.ts';
import { project } from '../project.ts';
import type { MappingEditorState } from './open-mapping.ts';

/** The open questions of a draft, each with a field for its answer; the focus moves from one to the next. */
export function DraftQuestionList({ open }: { readonly open: MappingEditorState }) {
  const list = useRef<HTMLOListElement>(null);
  const done = useRef<HTMLHeadingElement>(null);
  const hadSome = useRef(false);
  const next = useRef<number | undefined>(undefined);
  const questions = open.shown.value?.questions ?? [];
  hadSome.current ||= questions.length > 0;
  useEffect(() => {
    if (next.current === undefined) return;
    const fields = list.current?.querySelectorAll('textarea') ?? [];
    (fields[Math.min(next.current, fields.length - 1)] ?? done.current)?.focus();
    next.current = undefined;
  }, [questions.length]);
  const change = async (edit: MappingEditRequest, at: number) => {
    next.current = at;
    await open.change(edit);
    if (open.problem.value !== undefined) next.current = undefined;
  };
  if (!hadSome.current) return null;
  if (questions.length === 0)
    return (
      <section aria-labelledby="questions-head">
        <h2 id="questions-head" tabIndex={-1} ref={done}>
          Every question is answered
        </h2>
        <p>
          See below what becomes of the rows. Then check and import them in <a href={buildHref('run')}>Run</a>
          .
        </p>
      </section>
    );
  return (
    <section aria-labelledby="questions-head">
      <h2 id="questions-head">Questions to answer ({formatCount(questions.length)})</h2>
      <ol class="questions" ref={list}>
        {questions.map((question, index) => (
          <Answer
            key={`${question.path.join('\0')} ${question.value}`}
            question={question}
            onChange={(edit) => void change(edit, index)}
          />
        ))}
      </ol>
    </section>
  );
}

interface AnswerProps {
  readonly question: YamlQuestion;
  onChange(change: MappingEditRequest): void;
}

function Answer({ question, onChange }: AnswerProps) {
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
          onChange({ kind: 'answer', path: [...path], question: value, answer: text });
        }}
      >
        <label for={id}>
          {path.at(-2) === 'values' && <b>{path.at(-1)}: </b>}
          {words.slice(0, 1).toUpperCase() + words.slice(1)}{' '}
          <span class="note">
            {path.join(' › ')}, line {formatCount(line)}
          </span>
        </label>
        {path.at(-1) === 'users' && (
          <p class="note">One on each line: Jane = jane@example.com. A table of two columns can be pasted.</p>
        )}
        <div class="with-button">
          <textarea
            id={id}
            rows={1}
            value={answer}
            autocomplete="off"
            disabled={project.value.readOnly}
            onInput={({ currentTarget }) => (answer.value = currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
          <button type="submit" aria-disabled={answer.value.trim() === ''}>
            Answer
          </button>
          <button
            type="button"
            class="quiet"
            disabled={project.value.readOnly}
            onClick={() => onChange(toLeavingOut(question))}
          >
            Leave out
          </button>
        </div>
      </form>
    </li>
  );
}

/**
 * Returns the change that leaves out what a question is about. A cell of a table is set to null, because a text that
 * is not in the table would be kept. A table of users is removed together with the assignee. Any other target is
 * removed.
 */
function toLeavingOut({ path, value }: YamlQuestion): MappingEditRequest {
  const isTableCell = path.at(-2) === 'values' || path.at(-2) === 'users';
  if (isTableCell) return { kind: 'answer', path: [...path], question: value, answer: null };
  const target = path.at(-1) === 'users' ? path.slice(0, -1) : path;
  return { kind: 'removeTarget', target: [...target] };
}
