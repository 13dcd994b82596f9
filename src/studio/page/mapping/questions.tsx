import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import type { MappingEditRequest, YamlQuestion } from '../../wire/mapping.ts';
import { formatCount } from '../figures.ts';
import { buildHref } from '../place.ts';
import { project } from '../project.ts';
import type { MappingEditorState } from './open-mapping.ts';
import { formatTargetLabel } from './target-words.ts';

interface QuestionListProps {
  readonly open: MappingEditorState;
  /** The questions that are not shown in a line of the grid. */
  readonly questions: readonly YamlQuestion[];
}

const headId = 'questions-head';

/** How many questions of a draft are open, with those that belong to no column. */
export function DraftQuestionList({ open, questions }: QuestionListProps) {
  const hadSome = useRef(false);
  const all = open.shown.value?.questions.length ?? 0;
  const inGrid = all - questions.length;
  hadSome.current ||= all > 0;
  if (!hadSome.current) return null;
  return (
    <section aria-labelledby={headId}>
      <h2 id={headId} tabIndex={-1}>
        {all === 0 ? 'Every question is answered' : `Questions to answer (${formatCount(all)})`}
      </h2>
      {all === 0 && (
        <p>
          See below what becomes of the rows. Then check and import them in <a href={buildHref('run')}>Run</a>
          .
        </p>
      )}
      {inGrid > 0 && (
        <p>
          {inGrid === 1 ? 'One is' : `${formatCount(inGrid)} are`} in the table below, under the column in
          question.
        </p>
      )}
      {questions.map((question) => (
        <DraftQuestionForm key={questionKey(question)} {...{ question, open }} />
      ))}
    </section>
  );
}

/** Returns a text that is different for each question of a mapping. */
export function questionKey({ path, value }: YamlQuestion): string {
  return `${path.join('\0')} ${value}`;
}

interface QuestionFormProps {
  readonly open: MappingEditorState;
  readonly question: YamlQuestion;
}

/** A question with a field for its answer; the focus moves on to the next question of the page. */
export function DraftQuestionForm({ open, question }: QuestionFormProps) {
  const id = useId();
  const answer = useSignal('');
  const field = useRef<HTMLTextAreaElement>(null);
  const { path, value, question: words } = question;
  const change = async (edit: MappingEditRequest) => {
    const at = field.current === null ? -1 : questionFields().indexOf(field.current);
    await open.change(edit);
    if (open.problem.value !== undefined) return;
    // The next frame shows the questions that are left.
    requestAnimationFrame(() => {
      const left = questionFields();
      (left[at] ?? left.at(-1) ?? document.getElementById(headId))?.focus();
    });
  };
  return (
    <form
      class="question"
      onSubmit={(event) => {
        event.preventDefault();
        const text = answer.value.trim();
        if (text !== '') void change({ kind: 'answer', path: [...path], question: value, answer: text });
      }}
    >
      <label for={id}>
        <b>{subjectOf(question)}: </b>
        {words.slice(0, 1).toUpperCase() + words.slice(1)}
        {path.at(-1) === 'users' && (
          <span class="note">
            {' '}
            One on each line: Jane = jane@example.com. A table of two columns can be pasted.
          </span>
        )}
      </label>
      <div class="with-button">
        <textarea
          id={id}
          ref={field}
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
          onClick={() => void change(toLeavingOut(question))}
        >
          Leave out
        </button>
      </div>
    </form>
  );
}

function questionFields(): readonly HTMLTextAreaElement[] {
  return [...document.querySelectorAll<HTMLTextAreaElement>('.question textarea')];
}

/** Returns the value of a table that a question is about, or the target, or the key of the mapping. */
function subjectOf({ path }: YamlQuestion): string {
  if (path.at(-2) === 'values') return String(path.at(-1));
  const isField = path[0] === 'contact' || path[0] === 'customFields';
  return formatTargetLabel(path.slice(0, isField ? 2 : 1).join('.'));
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
