import { useSignal } from '@preact/signals';
import type { TargetedKeyboardEvent } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { ColumnStatistics, MappingEditRequest, YamlQuestion } from '../../wire/mapping.ts';
import { rich, t, translateEngineText } from '../language.ts';
import { CountryOptions } from '../parts/country-options.tsx';
import { formatTargetLabel } from '../parts/target-words.ts';
import { buildHref } from '../place.ts';
import { project } from '../project.ts';
import { meansNoStage } from './no-stage.ts';
import type { MappingEditorState } from './open-mapping.ts';
import { OwnersQuestion } from './owners-question.tsx';
import { suggestionsFor, workspaceStages } from './workspace-names.tsx';

interface QuestionListProps {
  readonly open: MappingEditorState;
  /** The questions that are not shown in a line of the grid. */
  readonly questions: readonly YamlQuestion[];
  /** The number of lines of the grid that have questions. */
  readonly columns: number;
}

const headId = 'questions-head';

/** How many questions of a draft are open, with those that belong to no column. */
export function DraftQuestionList({ open, questions, columns }: QuestionListProps) {
  const hadSome = useRef(false);
  const all = open.shown.value?.questions.length ?? 0;
  const inGrid = all - questions.length;
  hadSome.current ||= all > 0;
  if (!hadSome.current) return null;
  return (
    <section aria-labelledby={headId}>
      <h2 id={headId} tabIndex={-1}>
        {all === 0 ? t('Every question is answered') : t('Questions to answer ({n, number})', { n: all })}
      </h2>
      {all === 0 && (
        <p>
          {rich('See the rows by outcome below. Then <a>plan the import</a>.', {
            a: (parts) => <a href={buildHref('plan')}>{parts}</a>,
          })}
        </p>
      )}
      {inGrid > 0 && (
        <p>
          {t(
            '{n, plural, one {One is} other {# are}} in the table below, under {columns, plural, one {the column} other {the # columns}} in question.',
            { n: inGrid, columns },
          )}
        </p>
      )}
      {questions.map((question) => (
        <DraftQuestionForm key={buildQuestionKey(question)} {...{ question, open }} />
      ))}
    </section>
  );
}

/** Returns a text that is different for each question of a mapping. */
export function buildQuestionKey({ path, value }: YamlQuestion): string {
  return `${path.join('\0')} ${value}`;
}

interface QuestionFormProps {
  readonly open: MappingEditorState;
  readonly question: YamlQuestion;
  /** The column in question; undefined where the question belongs to none. */
  readonly column?: ColumnStatistics | null;
}

/** A question with fields for its answer; the focus moves on to the next question of the page. */
export function DraftQuestionForm({ open, question, column }: QuestionFormProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { path, value } = question;
  const kind = kindOf(path);
  const change = async (edit: MappingEditRequest) => {
    const at = questionFields().findIndex((field) => box.current?.contains(field));
    await open.change(edit);
    if (open.problem.value !== undefined) return;
    // The next frame shows the questions that are left.
    requestAnimationFrame(() => {
      const left = questionFields();
      (left[at] ?? left.at(-1) ?? document.getElementById(headId))?.focus();
    });
  };
  const answer = (given: string | null) =>
    void change({ kind: 'answer', path: [...path], question: value, answer: given });
  // Of a column with more values than are listed, the table can only be pasted.
  const owners = kind === 'owners' && column != null && isListed(column) ? column.frequent : undefined;
  return (
    <div class="question" ref={box}>
      {owners === undefined ? (
        <>
          <label for={id}>
            <b>{subjectOf(question)}: </b>
            {wordsOf(question)}
            {kind === 'owners' && (
              <span class="note">
                {' '}
                {t('One on each line: Jane = jane@example.com. A table of two columns can be pasted.')}
              </span>
            )}
          </label>
          <AnswerField {...{ id, question }} onAnswer={answer} />
        </>
      ) : (
        <>
          <p>
            <b>{subjectOf(question)}: </b>
            {t(
              'Which user of the workspace is each of these owners? Type an e-mail address, or leave the field empty for no user.',
            )}
          </p>
          <OwnersQuestion owners={owners} onAnswer={(users) => answer(JSON.stringify(users))} />
        </>
      )}
      <button
        type="button"
        class="quiet"
        disabled={project.value.readOnly}
        onClick={() => void change(toLeavingOut(question))}
      >
        {kind === 'stage' ? t('No stage') : t('Leave out')}
      </button>
    </div>
  );
}

function isListed({ frequent, distinct }: ColumnStatistics): boolean {
  return frequent.length > 0 && !distinct.atLeast && distinct.n === frequent.length;
}

interface AnswerFieldProps {
  readonly id: string;
  readonly question: YamlQuestion;
  /** Sends the answer; null is no stage. */
  onAnswer(text: string | null): void;
}

/**
 * A field for an answer: a list of countries, one line with suggestions for a value that the workspace knows, otherwise
 * a text.
 */
function AnswerField({ id, question: { path }, onAnswer }: AnswerFieldProps) {
  const answer = useSignal('');
  const kind = kindOf(path);
  const suggestions = path.at(-2) === 'values' ? suggestionsFor(String(path[0])) : undefined;
  const shared = {
    id,
    'data-answer': '',
    value: answer.value,
    autocomplete: 'off',
    disabled: project.value.readOnly,
    onInput: ({ currentTarget }: { readonly currentTarget: AnswerControl }) =>
      (answer.value = currentTarget.value),
  } as const;
  return (
    <form
      class="with-button"
      onSubmit={(event) => {
        event.preventDefault();
        const text = answer.value.trim();
        if (text !== '')
          onAnswer(kind === 'stage' && meansNoStage(text, workspaceStages.value) ? null : text);
      }}
    >
      {kind === 'country' ? (
        <select {...shared} onKeyDown={submitOnEnter}>
          <option value="">{t('Choose a country')}</option>
          <CountryOptions />
        </select>
      ) : suggestions === undefined ? (
        <textarea {...shared} rows={1} onKeyDown={submitOnEnter} />
      ) : (
        <input {...shared} list={suggestions} />
      )}
      <button type="submit" aria-disabled={answer.value.trim() === ''}>
        {t('Answer')}
      </button>
    </form>
  );
}

function submitOnEnter(event: TargetedKeyboardEvent<HTMLTextAreaElement | HTMLSelectElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

type AnswerControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Returns what a question asks for; undefined for any text. */
function kindOf(path: YamlQuestion['path']): 'owners' | 'stage' | 'country' | undefined {
  if (path.at(-1) === 'users') return 'owners';
  const isValue = path.at(-2) === 'values';
  if (isValue && path[0] === 'lifecycle') return 'stage';
  const isOfPhone = path.at(-1) === 'country' || (path.at(-2) === 'country' && path.at(-1) === 'default');
  return isOfPhone || (isValue && path[1] === 'countryCode') ? 'country' : undefined;
}

/** Returns the words of a question, without how to write its answer where the page has a list for it. */
function wordsOf({ path, question }: YamlQuestion): string {
  const kind = kindOf(path);
  if (kind === 'stage') return t('Which stage of the workspace is this?');
  const words = translateEngineText(
    kind === 'country' ? question.replace(/ Give its code.*$/, '') : question,
  );
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function questionFields(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('.question [data-answer]')];
}

/** Returns what a question is about: a value of a table, a target, or a key of the mapping. */
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
