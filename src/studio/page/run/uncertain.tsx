import { useSignal } from '@preact/signals';
import type { UncertainCommentAnswers, UncertainCommentEntry } from '../../wire/decisions.ts';
import { callRoute } from '../call.ts';
import { formatDateTime, formatRowLine } from '../figures.ts';
import { useOrderedSaves, useRouteAnswer } from '../hooks.ts';
import { t } from '../language.ts';
import { FailedSaveNotice, ProblemNotice, Section, StatusNote } from '../parts/notice.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { project } from '../project.ts';

/** The comments of a run that may have been sent, to be looked for in the workspace and then retried. */
export function UncertainCommentsSection({ run }: { readonly run: string }) {
  const { value: found, problem } = useRouteAnswer('uncertain', { run });
  const given = useSignal<UncertainCommentAnswers>({});
  const saved = useSignal<string | null>(null);
  const answers = { ...found.value?.answers, ...given.value };
  const list = saved.value ?? found.value?.list ?? null;
  const saves = useOrderedSaves(
    async (sent: UncertainCommentAnswers) =>
      (saved.value = (await callRoute('answer', { run, answers: sent })).path),
  );
  const decide = (id: string, said: 'yes' | 'no') => {
    given.value = { ...given.value, [id]: said };
    saves.save({ ...found.value?.answers, ...given.value });
  };
  const { comments = [], more = false } = found.value ?? {};
  const n = Object.keys(answers).length;
  return (
    <Section id="uncertain-head" title={t('Uncertain comments')}>
      <p>
        {t(
          'The connection was lost before the workspace confirmed these comments, and comments cannot be read back. Look for each of them in the workspace: is it there?',
        )}
      </p>
      <ProblemNotice problem={problem.value} />
      <ul class="lines">
        {comments.map((comment) => (
          <li key={comment.id}>
            <Comment comment={comment} said={answers[comment.id]} onDecide={decide} />
          </li>
        ))}
      </ul>
      {more && <p class="note">{t('There are more; they are shown once these are decided.')}</p>}
      <StatusNote>{n > 0 && decidedText(n, comments.length, saves.isSaved.value)}</StatusNote>
      <FailedSaveNotice {...saves} />
      {n > 0 && list !== null && (
        <StartButton
          label={t('Retry as decided')}
          command={{ command: 'retry', run, decided: list }}
          disabled={!saves.isSaved.value}
          confirm={{ title: t('Retry as decided?'), children: consequenceOf(answers) }}
        />
      )}
    </Section>
  );
}

function decidedText(n: number, all: number, isSaved: boolean): string {
  return isSaved
    ? t('{n, plural, one {# comment} other {# comments}} of {all, number} decided, saved', { n, all })
    : t('{n, plural, one {# comment} other {# comments}} of {all, number} decided…', { n, all });
}

function consequenceOf(answers: UncertainCommentAnswers): string {
  const again = Object.values(answers).filter((said) => said === 'yes').length;
  return t(
    '{again, plural, one {# comment is} other {# comments are}} sent again; {there, plural, one {# comment is} other {# comments are}} taken as sent.',
    { again, there: Object.keys(answers).length - again },
  );
}

interface CommentProps {
  readonly comment: UncertainCommentEntry;
  readonly said: 'yes' | 'no' | undefined;
  onDecide(id: string, said: 'yes' | 'no'): void;
}

const choices = [
  ['no', t('It is there')],
  ['yes', t('It is missing: send it again')],
] as const;

function Comment({ comment: { id, line, key, contact, step, text, sentAt }, said, onDecide }: CommentProps) {
  const about = [
    contact === null ? undefined : t('contact {id}', { id: contact }),
    line === null ? undefined : t('line {line}', { line: formatRowLine(line) }),
    key === null ? undefined : t('key {key}', { key }),
    step,
    sentAt === null ? undefined : t('sent {time}', { time: formatDateTime(new Date(sentAt).toISOString()) }),
  ].filter((word) => word !== undefined);
  return (
    <fieldset disabled={project.value.readOnly}>
      <legend class="note">{about.join(', ')}</legend>
      <blockquote>{text}</blockquote>
      <div class="row">
        {choices.map(([value, label]) => (
          <label key={value} class="check">
            <input type="radio" name={id} checked={said === value} onChange={() => onDecide(id, value)} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
