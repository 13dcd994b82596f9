import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type {
  UncertainCommentAnswers,
  UncertainCommentEntry,
  UncertainCommentList,
} from '../../wire/decisions.ts';
import { callRoute } from '../call.ts';
import { formatCount, formatCountWithNoun, formatDateTime } from '../figures.ts';
import { useAsyncAction } from '../hooks.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { buildHref, goTo } from '../place.ts';
import { project } from '../project.ts';

/**
 * The uncertain comments of a run, each with the question whether it is in the workspace, and the button that
 * retries them.
 */
export function UncertainCommentsSection({ run }: { readonly run: string }) {
  const found = useSignal<UncertainCommentList | undefined>(undefined);
  const answers = useSignal<UncertainCommentAnswers>({});
  const list = useSignal<string | null>(null);
  const isSaved = useSignal(true);
  const { problem, attempt } = useAsyncAction();
  useEffect(() => {
    attempt(async () => {
      found.value = await callRoute('uncertain', { run });
      answers.value = found.value.answers;
      list.value = found.value.list;
    });
  }, [run]);
  const decide = (id: string, said: 'yes' | 'no') => {
    const sent = { ...answers.value, [id]: said };
    answers.value = sent;
    isSaved.value = false;
    attempt(async () => {
      list.value = (await callRoute('answer', { run, answers: sent })).path;
      isSaved.value = answers.value === sent;
    });
  };
  const { comments = [], more = false } = found.value ?? {};
  const n = Object.keys(answers.value).length;
  return (
    <section aria-labelledby="uncertain-head">
      <h2 id="uncertain-head" tabIndex={-1}>
        Uncertain comments
      </h2>
      <p>
        Their answers were lost, and comments cannot be read through the API. Look for each in the workspace:
        is it there?
      </p>
      <ProblemNotice problem={problem.value} />
      <ul class="comments">
        {comments.map((comment) => (
          <li key={comment.id}>
            <Comment comment={comment} said={answers.value[comment.id]} onDecide={decide} />
          </li>
        ))}
      </ul>
      {more && <p class="note">There are more; they are shown once these are decided.</p>}
      <p class="note" role="status">
        {n > 0 &&
          `${formatCountWithNoun(n, 'comment')} of ${formatCount(comments.length)} decided${isSaved.value ? ', saved' : '…'}`}
      </p>
      {n > 0 && list.value !== null && (
        <StartButton
          label="Retry as decided"
          command={{ command: 'retry', run, decided: list.value }}
          disabled={!isSaved.value}
          confirm={{ title: 'Retry as decided?', children: <Consequence answers={answers.value} /> }}
          onStarted={({ id }) => goTo(buildHref('run', 'command', id))}
        />
      )}
    </section>
  );
}

function Consequence({ answers }: { readonly answers: UncertainCommentAnswers }) {
  const again = Object.values(answers).filter((said) => said === 'yes').length;
  const there = Object.keys(answers).length - again;
  return (
    <p>
      {formatCountWithNoun(again, 'comment')} {again === 1 ? 'is' : 'are'} sent again;{' '}
      {formatCountWithNoun(there, 'comment')} {there === 1 ? 'is' : 'are'} taken as sent.
    </p>
  );
}

interface CommentProps {
  readonly comment: UncertainCommentEntry;
  readonly said: 'yes' | 'no' | undefined;
  onDecide(id: string, said: 'yes' | 'no'): void;
}

function Comment({ comment: { id, line, key, contact, step, text, sentAt }, said, onDecide }: CommentProps) {
  const about = [
    contact === null ? undefined : `contact ${contact}`,
    line === null ? undefined : `line ${formatCount(line)}`,
    key === null ? undefined : `key ${key}`,
    step,
    sentAt === null ? undefined : `sent ${formatDateTime(new Date(sentAt).toISOString())}`,
  ].filter((word) => word !== undefined);
  const choices = [
    ['no', 'It is there'],
    ['yes', 'It is not: send it again'],
  ] as const;
  return (
    <fieldset disabled={project.value.readOnly}>
      <legend class="note">{about.join(', ')}</legend>
      <blockquote>{text}</blockquote>
      <div class="answers">
        {choices.map(([value, label]) => (
          <label key={value}>
            <input type="radio" name={id} checked={said === value} onChange={() => onDecide(id, value)} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
