import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SamePersonAnswers, SamePersonQuestion, SamePersonQuestionList } from '../../wire/decisions.ts';
import { callRoute } from '../call.ts';
import { formatRowLine } from '../figures.ts';
import { useAsyncAction } from '../hooks.ts';
import { t, translateEngineText } from '../language.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { buildHref, goTo } from '../place.ts';
import { project } from '../project.ts';

/**
 * The rows of a run that may be the same person as another row or a contact, each with both sides, the reason for the
 * question and its answers, and the button that imports them as answered; nothing for a run without such rows.
 */
export function SamePersonSection({ run }: { readonly run: string }) {
  const found = useSignal<SamePersonQuestionList | undefined>(undefined);
  const answers = useSignal<SamePersonAnswers>({});
  const isSaved = useSignal(true);
  const { problem, attempt } = useAsyncAction();
  useEffect(() => {
    attempt(async () => {
      found.value = await callRoute('samePerson', { run });
      answers.value = found.value.answers;
    });
  }, [run]);
  const answer = (ids: readonly string[], given: Answer) => {
    const sent = { ...answers.value, ...Object.fromEntries(ids.map((id) => [id, given])) };
    answers.value = sent;
    isSaved.value = false;
    attempt(async () => {
      await callRoute('answerSamePerson', { run, answers: sent });
      isSaved.value = answers.value === sent;
    });
  };
  const { questions = [], more = false, command } = found.value ?? {};
  if (questions.length === 0) return <ProblemNotice problem={problem.value} />;
  const n = Object.keys(answers.value).length;
  const openAlike = (evidence: string) =>
    questions.flatMap((each) =>
      each.evidence === evidence && answers.value[each.id] === undefined ? [each.id] : [],
    );
  return (
    <section aria-labelledby="same-person-head">
      <h2 id="same-person-head" tabIndex={-1}>
        {t('One person or two?')}
      </h2>
      <p>
        {t(
          'These rows were not imported yet, because each may be the same person as another row or a contact.',
        )}
      </p>
      <p class="note">
        {t(
          'Two people: the row goes without the e-mail and phone that the other one has, and is rejected if it has nothing else. The answers may lead to new questions.',
        )}
      </p>
      <ProblemNotice problem={problem.value} />
      <ul class="comments">
        {questions.map((question) => (
          <li key={question.id}>
            <Question
              question={question}
              given={answers.value[question.id]}
              alike={openAlike(question.evidence)}
              onAnswer={answer}
            />
          </li>
        ))}
      </ul>
      {more && <p class="note">{t('There are more; they are shown once these are imported.')}</p>}
      <p class="note" role="status">
        {n > 0 && answeredText(n, questions.length, isSaved.value)}
      </p>
      {n > 0 && command !== undefined && (
        <StartButton
          label={t('Import as answered')}
          command={command}
          disabled={!isSaved.value}
          confirm={{
            title: t('Import as answered?'),
            children: <p>{t('What you answered is not asked again.')}</p>,
          }}
          onStarted={({ id }) => goTo(buildHref('run', 'command', id))}
        />
      )}
    </section>
  );
}

function answeredText(n: number, all: number, isSaved: boolean): string {
  return isSaved
    ? t('{n, plural, one {# question} other {# questions}} of {all, number} answered, saved', { n, all })
    : t('{n, plural, one {# question} other {# questions}} of {all, number} answered…', { n, all });
}

type Answer = 'same' | 'different';

interface QuestionProps {
  readonly question: SamePersonQuestion;
  readonly given: Answer | undefined;
  /** The ids of the open questions with the same evidence. */
  readonly alike: readonly string[];
  onAnswer(ids: readonly string[], given: Answer): void;
}

const fields = [
  [t('First name'), 'first'],
  [t('Last name'), 'family'],
  [t('E-mail'), 'email'],
  [t('Phone'), 'phone'],
] as const;

const choices = [
  ['same', t('One person')],
  ['different', t('Two people')],
] as const;

function Question({ question: { id, evidence, sides }, given, alike, onAnswer }: QuestionProps) {
  const heads = sides.map(({ contact, line, sheet, key }) =>
    contact === null
      ? [
          t('Line {line}', { line: formatRowLine(line ?? 0) }),
          ...(sheet === null ? [] : [t('sheet {sheet}', { sheet })]),
          ...(key === null ? [] : [t('key {key}', { key })]),
        ].join(', ')
      : t('Contact {id}', { id: contact }),
  );
  return (
    <fieldset disabled={project.value.readOnly}>
      <legend>{translateEngineText(evidence)}</legend>
      <table class="pair">
        <thead>
          <tr>
            <th scope="col">{t('Field')}</th>
            {heads.map((head, index) => (
              <th key={index} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.map(([label, name]) => (
            <tr key={name} class={isEqual(sides, name) ? 'equal' : 'differs'}>
              <th scope="row">{label}</th>
              {sides.map((side, index) => (
                <td key={index} data-head={heads[index]}>
                  {side[name] ?? <span class="empty">{t('empty')}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="answers">
        {choices.map(([value, label]) => (
          <label key={value}>
            <input type="radio" name={id} checked={given === value} onChange={() => onAnswer([id], value)} />
            {label}
          </label>
        ))}
        {given !== undefined && alike.length > 0 && (
          <button type="button" class="link" onClick={() => onAnswer(alike, given)}>
            {t(
              'Answer {n, plural, one {the other question} other {the # other questions}} with this reason alike',
              { n: alike.length },
            )}
          </button>
        )}
      </div>
      {!sides[0].contact && !hasOwnIdentifier(sides) && (
        <p class="note">
          {t(
            'As two people, the row of the first column has no e-mail or phone left, and is rejected: give it one in the file.',
          )}
        </p>
      )}
    </fieldset>
  );
}

function hasOwnIdentifier([row, other]: SamePersonQuestion['sides']): boolean {
  return (['email', 'phone'] as const).some((name) => row[name] !== null && !isEqual([row, other], name));
}

function isEqual([one, other]: SamePersonQuestion['sides'], name: (typeof fields)[number][1]): boolean {
  return one[name]?.toLowerCase() === other[name]?.toLowerCase();
}
