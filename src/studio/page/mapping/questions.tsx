import { useSignal } from '@preact/signals';
import type { TargetedKeyboardEvent } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { ColumnStatistics, MappingEditRequest, YamlQuestion } from '../../wire/mapping.ts';
import { rich, t } from '../language.ts';
import { Button, Form } from '../parts/controls.tsx';
import { ProblemNotice, Section } from '../parts/notice.tsx';
import { formatTargetLabel } from '../parts/target-words.ts';
import { buildHref } from '../place.ts';
import { listCountryOptions, project } from '../project.ts';
import type { MappingEditorState } from './open-mapping.ts';
import { OwnersQuestion } from './owners-question.tsx';
import type { PipelineQuestions } from './pipeline-questions.ts';
import { meansNoStage, type QuestionChoice, type WordedQuestion, wordQuestion } from './question-words.ts';
import { suggestionsFor, workspaceStages } from './workspace-names.tsx';

interface QuestionListProps {
  readonly open: MappingEditorState;
  /** The questions of the mapping that are not shown in a line of the grid. */
  readonly questions: readonly YamlQuestion[];
  /** Undefined if no pipeline uses the mapping. */
  readonly pipeline: PipelineQuestions | undefined;
  /** The columns of the input, as far as they are known. */
  readonly names: readonly string[];
  /** The number of lines of the grid that have questions. */
  readonly columns: number;
}

const headId = 'questions-head';

/** How many questions of a draft are open, with those that belong to no column: about the file as a whole, and others. */
export function DraftQuestionList({ open, questions, pipeline, names, columns }: QuestionListProps) {
  const hadSome = useRef(false);
  const ofMapping = open.shown.value?.questions.length ?? 0;
  const ofPipeline = pipeline?.questions.value ?? [];
  const all = ofMapping + ofPipeline.length;
  const inGrid = ofMapping - questions.length;
  hadSome.current ||= all > 0;
  if (!hadSome.current) return null;
  return (
    <Section
      id={headId}
      title={all === 0 ? t('Every question is answered') : t('Questions to answer ({n, number})', { n: all })}
    >
      {all === 0 && (
        <p>
          {rich('See the rows by outcome below. Then <a>plan the import</a>.', {
            a: (parts) => <a href={buildHref('plan')}>{parts}</a>,
          })}
        </p>
      )}
      {inGrid > 0 && columns > 0 && (
        <p>
          {t(
            '{n, plural, one {One is} other {# are}} in the table below, under {columns, plural, one {the column} other {the # columns}} in question.',
            { n: inGrid, columns },
          )}
        </p>
      )}
      <ProblemNotice problem={pipeline?.problem.value} />
      {pipeline !== undefined &&
        ofPipeline.map((question) => (
          <DraftQuestionForm key={buildQuestionKey(question)} {...{ question, open: pipeline }} />
        ))}
      {questions.map((question) => (
        <DraftQuestionForm key={buildQuestionKey(question)} {...{ question, open, names }} />
      ))}
    </Section>
  );
}

/** Returns a text that is different for each question of a mapping. */
export function buildQuestionKey({ path, value }: YamlQuestion): string {
  return `${path.join('\0')} ${value}`;
}

interface QuestionFormProps {
  /** The file with the question. */
  readonly open: Pick<MappingEditorState, 'change' | 'problem'>;
  readonly question: YamlQuestion;
  /** The columns of the input that an answer can name; none where they are not known. */
  readonly names?: readonly string[];
  /** The column in question; undefined where the question belongs to none. */
  readonly column?: ColumnStatistics | null;
}

/** A question with fields for its answer; the focus moves on to the next question of the page. */
export function DraftQuestionForm({ open, question, names = [], column }: QuestionFormProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { path, value } = question;
  const kind = kindOf(path);
  const worded = wordsOf(question);
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
  const answer = (given: QuestionChoice['answer']) =>
    void change({ kind: 'answer', path: [...path], question: value, answer: given });
  // Of a column with more values than are listed, the table can only be pasted.
  const owners = kind === 'owners' && column != null && isListed(column) ? column.frequent : undefined;
  return (
    <div class="question" ref={box}>
      {worded.choices !== undefined && (
        <QuestionChoices {...{ subject: subjectOf(question), worded }} onAnswer={answer} />
      )}
      {worded.choices === undefined && owners === undefined && (
        <>
          <label for={id}>
            <b>{subjectOf(question)}: </b>
            {worded.words}
            {kind === 'owners' && (
              <span class="note">
                {' '}
                {t('One on each line: Jane = jane@example.com. A table of two columns can be pasted.')}
              </span>
            )}
          </label>
          <AnswerField {...{ id, question, names }} onAnswer={answer} />
        </>
      )}
      {owners !== undefined && (
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
      {worded.choices === undefined && path[0] !== 'key' && (
        <Button
          class="quiet"
          label={kind === 'stage' ? t('No stage') : t('Leave out')}
          disabled={project.value.readOnly}
          onClick={() => void change(toLeavingOut(question))}
        />
      )}
    </div>
  );
}

interface ChoicesProps {
  readonly subject: string;
  readonly worded: WordedQuestion;
  onAnswer(answer: QuestionChoice['answer']): void;
}

/** A question with a button for each of its answers, and a field for the name of another system where it needs one. */
function QuestionChoices({ subject, worded, onAnswer }: ChoicesProps) {
  const { words, choices = [], otherSystem } = worded;
  const id = useId();
  const other = useSignal(otherSystem ?? '');
  const name = other.value.trim();
  const isOff = project.value.readOnly;
  const isSame = choices.some(({ answer }) => answer === JSON.stringify(name));
  return (
    <div>
      <p id={id}>
        <b>{subject}: </b>
        {words}
      </p>
      <p class="buttons">
        {choices.map(({ label, answer }, index) => (
          <Button
            key={label}
            class="quiet"
            label={label}
            data-answer={index === 0 ? '' : undefined}
            aria-describedby={id}
            disabled={isOff}
            onClick={() => onAnswer(answer)}
          />
        ))}
      </p>
      {otherSystem !== undefined && (
        <Form
          class="with-button other-system"
          isOff={name === '' || isSame}
          onSubmit={() => onAnswer(JSON.stringify(name))}
        >
          <label for={`${id}-other`}>{t('Another system, with the name')}</label>
          <input
            // The browser shows it, and sends no answer.
            ref={(field) => field?.setCustomValidity(isSame ? t('That is the name of the same system.') : '')}
            id={`${id}-other`}
            value={other.value}
            autocomplete="off"
            disabled={isOff}
            onInput={({ currentTarget }) => (other.value = currentTarget.value)}
          />
          <Button
            type="submit"
            class="quiet"
            label={t('Another system')}
            disabled={isOff}
            aria-disabled={name === ''}
          />
        </Form>
      )}
    </div>
  );
}

function isListed({ frequent, distinct }: ColumnStatistics): boolean {
  return frequent.length > 0 && !distinct.atLeast && distinct.n === frequent.length;
}

interface AnswerFieldProps {
  readonly id: string;
  readonly question: YamlQuestion;
  readonly names: readonly string[];
  /** Sends the answer; null is no stage, and false is no column. */
  onAnswer(answer: QuestionChoice['answer']): void;
}

/** The value of the option that no column identifies a row: no column has this name, because it is a question. */
const noColumn = 'TODO';

/** A field for an answer: a list of countries or columns, a line with suggestions, or a text. */
function AnswerField({ id, question: { path }, names, onAnswer }: AnswerFieldProps) {
  const answer = useSignal('');
  const kind = kindOf(path);
  const suggestions = path.at(-2) === 'values' ? suggestionsFor(String(path[0])) : undefined;
  const isColumn = names.length > 0 && (path.at(-1) === 'from' || (path[0] === 'key' && path.length === 1));
  const columns = [
    ['', t('Choose a column')],
    ...(path[0] === 'key' ? [[noColumn, t('No column does')] as const] : []),
    ...names.map((name) => [name, name] as const),
  ] as const;
  const countries =
    kind === 'country' ? [['', t('Choose a country')] as const, ...listCountryOptions()] : undefined;
  const options = countries ?? (isColumn ? columns : undefined);
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
    <Form
      class="with-button"
      onSubmit={() => {
        const text = answer.value.trim();
        if (text === '') return;
        if (isColumn) onAnswer(answer.value === noColumn ? false : JSON.stringify(answer.value));
        else onAnswer(kind === 'stage' && meansNoStage(text, workspaceStages.value) ? null : text);
      }}
    >
      {options !== undefined ? (
        <select {...shared} onKeyDown={submitOnEnter}>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      ) : suggestions === undefined ? (
        <textarea {...shared} rows={1} onKeyDown={submitOnEnter} />
      ) : (
        <input {...shared} list={suggestions} />
      )}
      <Button type="submit" label={t('Answer')} aria-disabled={answer.value.trim() === ''} />
    </Form>
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

/** Returns a question in the words of the page; one about a stage is the same for all values. */
function wordsOf({ path, question }: YamlQuestion): WordedQuestion {
  return kindOf(path) === 'stage'
    ? { words: t('Which stage of the workspace is this?') }
    : wordQuestion(question);
}

function questionFields(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('.question [data-answer]')];
}

/** The labels of what a question is about, besides targets, by the last or first key of its path. */
const subjects: Readonly<Record<string, string>> = {
  ragged: t('Cells of a row'),
  system: t('Old system'),
  key: t('Key'),
  empty: t('Empty cells'),
};

/** Returns what a question is about: a value of a table, a target, or a setting of the mapping or the pipeline. */
function subjectOf({ path }: YamlQuestion): string {
  const setting = subjects[String(path[0] === 'import' ? path.at(-1) : path[0])];
  if (setting !== undefined) return setting;
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
