import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { MergeReviewProgress, ProposalDecision } from '../../wire/merges.ts';
import { formatCount, formatCountWithNoun } from '../figures.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { buildHref, goTo } from '../place.ts';
import { project } from '../project.ts';
import { MergePairTable } from './pair-table.tsx';
import { usePairReview } from './use-pairs.ts';

const answers = {
  yes: { tone: 'good', text: 'Yes, one person: merge' },
  no: { tone: 'quiet', text: 'No, two people: leave both' },
  '': { tone: 'look', text: 'Undecided' },
} as const;

/** The review of a run's proposals, one at a time, each decided by a button or its key. */
export function MergeReview({ run }: { readonly run: string }) {
  const { progress, problem, index, pair, isBusy, move, decide } = usePairReview(run);
  const editing = useSignal(false);
  const said = useSignal('');
  const region = useRef<HTMLElement>(null);
  const isThere = pair !== undefined;
  useEffect(() => {
    if (isThere) region.current?.focus();
  }, [isThere]);
  if (progress.value === undefined || pair === undefined) return <ProblemNotice problem={problem.value} />;
  const { proposals, decided } = progress.value;

  const answer = async (chosen: ProposalDecision['answer']) => {
    const at = index.value;
    if (project.value.readOnly || !(await decide(chosen, pair.decision.result ?? {}))) return;
    const done = progress.value?.decided ?? 0;
    said.value = `Pair ${formatCount(at + 1)}: ${answers[chosen].text}. ${formatCount(done)} of ${formatCount(proposals)} decided.`;
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
      <section ref={region} tabIndex={-1} class="review" aria-labelledby="pair-head" onKeyDown={onKeyDown}>
        <div class="with-count">
          <h2 id="pair-head">
            Pair {formatCount(index.value + 1)} of {formatCount(proposals)}
            <span class="note">
              {' '}
              line {formatCount(pair.line)}
              {pair.key !== null && `, key ${pair.key}`}
            </span>
          </h2>
          <span class={`tag ${answers[pair.decision.answer].tone}`}>
            {answers[pair.decision.answer].text}
          </span>
        </div>
        <div class="decided">
          <progress aria-label="Pairs decided" max={proposals} value={decided} />
          <span>
            {formatCount(decided)} of {formatCount(proposals)} decided
          </span>
        </div>
        <ProblemNotice problem={problem.value} />
        <MergePairTable
          key={`${pair.id} ${editing.value}`}
          pair={pair}
          isEditing={editing.value}
          onCancel={endEdit}
          onSave={async (result) => {
            if (!(await decide(pair.decision.answer, result))) return;
            said.value = 'The result is saved.';
            endEdit();
          }}
        />
        {!editing.value && (
          <p class="buttons">
            <KeyButton {...{ label: 'Yes, merge', letter: 'Y', onPress: () => void answer('yes') }} />
            <KeyButton {...{ label: 'No', letter: 'N', isQuiet: true, onPress: () => void answer('no') }} />
            <KeyButton
              {...{ label: 'Undecided', letter: 'U', isQuiet: true, onPress: () => void answer('') }}
            />
            <KeyButton {...{ label: 'Edit the result', letter: 'E', isQuiet: true, onPress: edit }} />
            <KeyButton
              {...{
                label: 'Previous',
                letter: '←',
                keyName: 'ArrowLeft',
                isQuiet: true,
                onPress: () => move(-1),
              }}
            />
            <KeyButton
              {...{
                label: 'Next',
                letter: '→',
                keyName: 'ArrowRight',
                isQuiet: true,
                onPress: () => move(1),
              }}
            />
          </p>
        )}
        <p class="note" role="status">
          {said.value}
        </p>
      </section>
      <Apply progress={progress.value} />
    </>
  );
}

interface KeyButtonProps {
  readonly label: string;
  readonly letter: string;
  /** The browser's name of the key, where it differs from the letter. */
  readonly keyName?: string;
  readonly isQuiet?: boolean;
  onPress(): void;
}

/** A button with its keyboard shortcut. */
function KeyButton({ label, letter, keyName = letter, isQuiet = false, onPress }: KeyButtonProps) {
  const isMove = keyName.startsWith('Arrow');
  return (
    <button
      type="button"
      class={isQuiet ? 'quiet' : ''}
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

function Apply({ progress }: { readonly progress: MergeReviewProgress }) {
  const { approved, decided, proposals, file, command } = progress;
  return (
    <section aria-labelledby="apply-head">
      <h2 id="apply-head">Apply what is approved</h2>
      <p>
        {formatCountWithNoun(approved, 'merge')} approved, {formatCount(decided - approved)} refused,{' '}
        {formatCount(proposals - decided)} undecided.
      </p>
      <StartButton
        label="Apply the approved merges"
        command={command}
        disabled={approved === 0}
        confirm={{
          title: `Apply ${formatCountWithNoun(approved, 'merge')}?`,
          children: (
            <p>
              A merge cannot be undone. Both contacts are read again first; one that has changed is left
              alone.
            </p>
          ),
        }}
        onStarted={({ id }) => goTo(buildHref('run', 'command', id))}
      />
      <p class="note">
        Every decision is saved at once in <code>{file}</code>.
      </p>
    </section>
  );
}
