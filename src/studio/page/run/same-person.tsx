import { useSignal } from '@preact/signals';
import type { SamePersonAnswers, SamePersonQuestion } from '../../wire/decisions.ts';
import { callRoute } from '../call.ts';
import { formatRowLine } from '../figures.ts';
import { useOrderedSaves, useRouteAnswer } from '../hooks.ts';
import { t, translateEngineText } from '../language.ts';
import { Button } from '../parts/controls.tsx';
import { DataTable } from '../parts/lists.tsx';
import { FailedSaveNotice, ProblemNotice, Section, StatusNote } from '../parts/notice.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { project } from '../project.ts';

/** The rows that may be the same person as another row or a contact, to be answered and imported. */
export function SamePersonSection({ run }: { readonly run: string }) {
  const { value: found, problem } = useRouteAnswer('samePerson', { run });
  const given = useSignal<SamePersonAnswers>({});
  const answers = { ...found.value?.answers, ...given.value };
  const saves = useOrderedSaves((sent: SamePersonAnswers) =>
    callRoute('answerSamePerson', { run, answers: sent }),
  );
  const answer = (ids: readonly string[], chosen: Answer) => {
    given.value = { ...given.value, ...Object.fromEntries(ids.map((id) => [id, chosen])) };
    saves.save({ ...found.value?.answers, ...given.value });
  };
  const { questions = [], more = false, command } = found.value ?? {};
  if (questions.length === 0) return <ProblemNotice problem={problem.value} />;
  const n = Object.keys(answers).length;
  const reasons = [...new Set(questions.map(({ evidence }) => evidence))];
  return (
    <Section id="same-person-head" title={t('One person or two?')}>
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
      {reasons.map((evidence) => (
        <Questions
          key={evidence}
          evidence={evidence}
          questions={questions.filter((each) => each.evidence === evidence)}
          answers={answers}
          onAnswer={answer}
        />
      ))}
      {more && <p class="note">{t('There are more; they are shown once these are imported.')}</p>}
      <StatusNote>{n > 0 && answeredText(n, questions.length, saves.isSaved.value)}</StatusNote>
      <FailedSaveNotice {...saves} />
      {n > 0 && command !== undefined && (
        <StartButton
          label={t('Import as answered')}
          command={command}
          disabled={!saves.isSaved.value}
          confirm={{
            title: t('Import as answered?'),
            children: t('What you answered is not asked again.'),
          }}
        />
      )}
    </Section>
  );
}

function answeredText(n: number, all: number, isSaved: boolean): string {
  return isSaved
    ? t('{n, plural, one {# question} other {# questions}} of {all, number} answered, saved', { n, all })
    : t('{n, plural, one {# question} other {# questions}} of {all, number} answered…', { n, all });
}

type Answer = 'same' | 'different';

interface QuestionsProps {
  readonly evidence: string;
  readonly questions: readonly SamePersonQuestion[];
  readonly answers: SamePersonAnswers;
  onAnswer(ids: readonly string[], given: Answer): void;
}

const fields = [
  [t('First name'), 'first'],
  [t('Last name'), 'family'],
  [t('E-mail'), 'email'],
  [t('Phone'), 'phone'],
  [t('Further e-mails and phones'), 'further'],
  [t('Date of birth'), 'birthDate'],
] as const;

const choices = [
  ['same', t('One person')],
  ['different', t('Two people')],
] as const;

/** The questions with one reason as a table, and the buttons that answer all of them alike. */
function Questions({ evidence, questions, answers, onAnswer }: QuestionsProps) {
  const { readOnly } = project.value;
  const heading = translateEngineText(evidence);
  const rejected = questions.filter(isRejectedAsTwo).length;
  const shown = fields.filter(([, name]) =>
    questions.some(({ sides }) => sides.some((side) => side[name] !== undefined)),
  );
  const columns = [t('Rows'), ...shown.map(([label]) => label), t('One person or two?')];
  const rows = questions.map((question) => [
    <Both values={question.sides.map(headOf)} />,
    ...shown.map(([, name]) => <Both values={question.sides.map((side) => toText(side[name]))} />),
    <fieldset class="row" disabled={readOnly} aria-label={question.sides.map(headOf).join(' – ')}>
      {choices.map(([value, label]) => (
        <label key={value} class="check">
          <input
            type="radio"
            name={question.id}
            checked={answers[question.id] === value}
            onChange={() => onAnswer([question.id], value)}
          />
          {label}
          {value === 'different' && isRejectedAsTwo(question) && (
            <span class="note">{t('the row is rejected')}</span>
          )}
        </label>
      ))}
    </fieldset>,
  ]);
  return (
    <>
      <h3 class="sentence">{heading}</h3>
      {rejected > 0 && (
        <p class="note">
          {t(
            '{n, plural, one {As two people, # of these rows has no e-mail or phone left and is rejected: give it one in the file.} other {As two people, # of these rows have no e-mail or phone left and are rejected: give them one in the file.}}',
            { n: rejected },
          )}
        </p>
      )}
      {questions.length > 1 && (
        <p class="buttons">
          {t('{n, number} questions, all:', { n: questions.length })}{' '}
          {choices.map(([value, label]) => (
            <Button
              key={value}
              class="quiet"
              label={label}
              disabled={readOnly}
              onClick={() =>
                onAnswer(
                  questions.map(({ id }) => id),
                  value,
                )
              }
            />
          ))}
        </p>
      )}
      <DataTable label={heading} hasHeading columns={columns} rows={rows} />
    </>
  );
}

const toText = (value: string | readonly string[] | null = null) =>
  value === null || typeof value === 'string' ? value : value.join(', ');

/** The values of both sides, one above the other; one value where they are equal. */
function Both({ values }: { readonly values: readonly (string | null)[] }) {
  const [one = null, other = null] = values;
  if (isAlike(one, other)) return <>{one}</>;
  return (
    <>
      {values.map((value, index) => (
        <div key={index}>{value ?? <span class="note">{t('empty')}</span>}</div>
      ))}
    </>
  );
}

function headOf({ contact, line, sheet, key }: SamePersonQuestion['sides'][number]): string {
  if (contact !== null) return t('Contact {id}', { id: contact });
  return [
    t('Line {line}', { line: formatRowLine(line ?? 0) }),
    ...(sheet === null ? [] : [t('sheet {sheet}', { sheet })]),
    ...(key === null ? [] : [t('key {key}', { key })]),
  ].join(', ');
}

/** Returns true if the row would have no e-mail and no phone without those that the other side has. */
function isRejectedAsTwo({ sides: [row, other] }: SamePersonQuestion): boolean {
  return (
    row.contact === null &&
    !(['email', 'phone'] as const).some((name) => row[name] !== null && !isAlike(row[name], other[name]))
  );
}

const isAlike = (one: string | null, other: string | null): boolean =>
  one?.toLowerCase() === other?.toLowerCase();
