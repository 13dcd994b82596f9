import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MergeReviewProgress, PairWithDecision, ProposalDecision } from '../../wire/merges.ts';
import { formatRowLine } from '../figures.ts';
import { rich, t } from '../language.ts';
import { ProblemNotice, Section, StatusNote } from '../parts/notice.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { project } from '../project.ts';
import { MergePairTable } from './pair-table.tsx';
import { usePairReview } from './use-pairs.ts';

const answers = {
  yes: { tone: 'good', text: t('Yes, one person: merge') },
  no: { tone: 'quiet', text: t('No, two people: leave both') },
  '': { tone: 'look', text: t('Undecided') },
} as const;

/** The review of a run's proposals, one at a time, each decided by a button or its key. */
export function MergeReview({ run }: { readonly run: string }) {
  const { progress, problem, index, pair, isBusy, move, decide } = usePairReview(run);
  const editing = useSignal(false);
  const said = useSignal('');
  const region = useRef<HTMLElement>(null);
  const isThere = pair !== undefined;
  // At once: the keys that are typed when the pair is seen are heard.
  useLayoutEffect(() => {
    if (isThere) region.current?.focus();
  }, [isThere]);
  if (progress.value === undefined || pair === undefined) return <ProblemNotice problem={problem.value} />;
  const { proposals, decided } = progress.value;

  const answer = async (chosen: ProposalDecision['answer']) => {
    const at = index.value;
    if (project.value.readOnly || !(await decide(chosen, pair.decision.result ?? {}))) return;
    const done = progress.value?.decided ?? 0;
    said.value = t('Pair {pair, number}: {answer}. {n, number} of {all, number} decided.', {
      pair: at + 1,
      answer: answers[chosen].text,
      n: done,
      all: proposals,
    });
    if (chosen !== '') move(1);
  };
  const edit = () => {
    if (!project.value.readOnly && !isBusy()) editing.value = true;
  };
  const endEdit = () => {
    editing.value = false;
    region.current?.focus();
  };
  const keys: Readonly<Record<string, () => void>> = {
    y: () => void answer('yes'),
    n: () => void answer('no'),
    u: () => void answer(''),
    e: edit,
    ArrowRight: () => move(1),
    ArrowLeft: () => move(-1),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const run = keys[event.key];
    if (run === undefined || editing.value || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    run();
  };
  return (
    <>
      <section ref={region} tabIndex={-1} aria-labelledby="pair-head" onKeyDown={onKeyDown}>
        <div class="row with-count">
          <h2 id="pair-head">
            {t('Pair {n, number} of {all, number}', { n: index.value + 1, all: proposals })}
            <span class="note"> {placeOf(pair)}</span>
          </h2>
          <span class={`tag ${answers[pair.decision.answer].tone}`}>
            {answers[pair.decision.answer].text}
          </span>
        </div>
        <div class="row">
          <progress aria-label={t('Pairs decided')} max={proposals} value={decided} />
          <span>{t('{n, number} of {all, number} decided', { n: decided, all: proposals })}</span>
        </div>
        <ProblemNotice problem={problem.value} />
        <MergePairTable
          key={`${pair.id} ${editing.value}`}
          pair={pair}
          isEditing={editing.value}
          onCancel={endEdit}
          onSave={async (result) => {
            if (!(await decide(pair.decision.answer, result))) return;
            said.value = t('The result is saved.');
            endEdit();
          }}
        />
        {!editing.value && (
          <p class="buttons">
            <KeyButton label={t('Yes, merge')} letter="Y" onPress={() => void answer('yes')} />
            <KeyButton label={t('No')} letter="N" onPress={() => void answer('no')} />
            <KeyButton label={t('Undecided')} letter="U" onPress={() => void answer('')} />
            <KeyButton label={t('Edit the result')} letter="E" onPress={edit} />
            <KeyButton label={t('Previous')} letter="←" keyName="ArrowLeft" onPress={() => move(-1)} />
            <KeyButton label={t('Next')} letter="→" keyName="ArrowRight" onPress={() => move(1)} />
          </p>
        )}
        <StatusNote>{said.value}</StatusNote>
      </section>
      <Apply progress={progress.value} quiet={editing.value} />
    </>
  );
}

function placeOf({ line, key }: PairWithDecision): string {
  return key === null
    ? t('line {line}', { line: formatRowLine(line) })
    : t('line {line}, key {key}', { line: formatRowLine(line), key });
}

interface KeyButtonProps {
  readonly label: string;
  readonly letter: string;
  /** The browser's name of the key, where it differs from the letter. */
  readonly keyName?: string;
  onPress(): void;
}

/** A button with its keyboard shortcut. No answer is the primary one: a merge is not to be what is pressed by default. */
function KeyButton({ label, letter, keyName = letter, onPress }: KeyButtonProps) {
  const isMove = keyName.startsWith('Arrow');
  return (
    <button
      type="button"
      class="quiet"
      aria-keyshortcuts={keyName}
      disabled={project.value.readOnly && !isMove}
      onClick={onPress}
    >
      {label}{' '}
      <span class="key" aria-hidden="true">
        {letter}
      </span>
    </button>
  );
}

interface ApplyProps {
  readonly progress: MergeReviewProgress;
  /** True while a result is edited: saving it comes first. */
  readonly quiet: boolean;
}

function Apply({ progress, quiet }: ApplyProps) {
  const { approved, decided, proposals, file, command } = progress;
  return (
    <Section title={t('Apply what is approved')}>
      <p>
        {t(
          '{approved, plural, one {# merge} other {# merges}} approved, {refused, number} refused, {undecided, number} undecided.',
          { approved, refused: decided - approved, undecided: proposals - decided },
        )}
      </p>
      <StartButton
        label={t('Apply the approved merges')}
        command={command}
        quiet={quiet}
        disabled={approved === 0}
        confirm={{
          title: t('Apply {n, plural, one {# merge} other {# merges}}?', { n: approved }),
          children: t(
            'A merge cannot be undone. Both contacts are read again first; one that has changed is left alone.',
          ),
        }}
      />
      <p class="note">{rich('Every decision is saved at once in {file}.', { file: <code>{file}</code> })}</p>
    </Section>
  );
}
