import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CellCorrections, RejectedRow, RejectedRowsPage } from '../../wire/decisions.ts';
import { callRoute, callUntilAnswered } from '../call.ts';
import { useAsyncAction, useDebouncedWork, useOrderedSaves } from '../hooks.ts';
import { t } from '../language.ts';
import { Button } from '../parts/controls.tsx';
import { FailedSaveNotice, Notice, ProblemNotice, Section, StatusNote } from '../parts/notice.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { project } from '../project.ts';
import { LostCorrectionsNotice } from './lost-corrections.tsx';
import { type CheckedCorrections, findCheckedProblems, RejectsGrid } from './rejects-grid.tsx';

/** The time from the last keystroke until corrections are saved (ms). */
const pause = 400;

/** The rejected rows of a run in a grid for corrections, and the button that retries them. */
export function RejectsSection({ run }: { readonly run: string }) {
  const rows = useSignal<readonly RejectedRow[]>([]);
  const next = useSignal<string | null>(null);
  const corrections = useSignal<CellCorrections>({});
  const list = useSignal<string | null>(null);
  const read = useSignal<RejectedRowsPage | undefined>(undefined);
  const checked = useSignal<CheckedCorrections>({});
  const { problem, attempt } = useAsyncAction();
  const saves = useOrderedSaves(
    async (sent: CellCorrections) =>
      (list.value = (await callRoute('correct', { run, corrections: sent })).path),
  );
  const checks = useOrderedSaves(async (sent: CellCorrections) => {
    const found = await callUntilAnswered('checkCorrections', { run, corrections: sent });
    checked.value = Object.fromEntries(
      found.rows.map(({ seq, problems }) => [seq, { cells: sent[seq] ?? {}, problems }]),
    );
  });
  const later = useDebouncedWork(pause);
  useEffect(() => {
    attempt(async () => {
      const found = await callRoute('rejects', { run });
      read.value = found;
      rows.value = found.rows;
      next.value = found.next;
      corrections.value = found.corrections;
      list.value = found.list;
      if (found.carried > 0 && !project.value.readOnly) saves.save(found.corrections);
      if (Object.keys(found.corrections).length > 0) checks.save(found.corrections);
    });
  }, [run]);
  const more = async (after: string) => {
    const found = await callRoute('rejects', { run, after });
    rows.value = [...rows.value, ...found.rows];
    next.value = found.next;
  };
  const correct = ({ seq, cells }: RejectedRow, column: string, cell: string) => {
    const { [column]: _, ...others } = corrections.value[seq] ?? {};
    const of = cell === (cells[column] ?? '') ? others : { ...others, [column]: cell };
    const { [seq]: _before, ...rest } = corrections.value;
    corrections.value = Object.keys(of).length === 0 ? rest : { ...rest, [seq]: of };
    saves.isSaved.value = false;
    later(() => {
      saves.save(corrections.value);
      checks.save(corrections.value);
    });
  };
  const n = Object.keys(corrections.value).length;
  const stillWrong = Object.entries(corrections.value).filter(
    ([seq, cells]) => (findCheckedProblems(checked.value, seq, cells) ?? []).length > 0,
  ).length;
  const after = next.value;
  const { columns = [], canCorrect = true, carried = 0, lost = [] } = read.value ?? {};
  if (!canCorrect) return null;
  return (
    <Section id="rejects-head" title={t('Rejected rows')}>
      <p>
        {t(
          'Correct the cells, then retry: rows that you leave as they are stay open. Your file is not changed.',
        )}
      </p>
      <ProblemNotice problem={problem.value} />
      <LostCorrectionsNotice lost={lost} />
      {carried > 0 && (
        <Notice
          tone="look"
          message={t(
            '{n, plural, one {The correction of a row that is the same as in the earlier file was carried over. Please verify.} other {The corrections of # rows that are the same as in the earlier file were carried over. Please verify.}}',
            { n: carried },
          )}
        />
      )}
      <RejectsGrid
        rows={rows.value}
        columns={columns}
        corrections={corrections.value}
        checked={checked.value}
        onCorrect={correct}
      />
      {after !== null && (
        <p class="buttons">
          <Button class="quiet" label={t('Show more')} onClick={() => attempt(() => more(after))} />
          <span class="note">
            {t('{n, plural, one {# row} other {# rows}} shown', { n: rows.value.length })}
          </span>
        </p>
      )}
      <StatusNote>
        {n > 0 && correctedText(n, saves.isSaved.value)}
        {stillWrong > 0 &&
          `; ${t('{n, plural, one {# row still has a problem} other {# rows still have a problem}}', { n: stillWrong })}`}
      </StatusNote>
      <ProblemNotice problem={checks.problem.value} />
      <FailedSaveNotice {...saves} />
      {n > 0 && list.value !== null && (
        <StartButton
          label={t('Retry with {n, plural, one {# corrected row} other {# corrected rows}}', { n })}
          command={{ command: 'retry', run, from: list.value }}
          disabled={!saves.isSaved.value}
          confirm={{
            title: t('Retry these rows?'),
            children: t('Rows that are still wrong are rejected again; finished rows are not sent again.'),
          }}
        />
      )}
    </Section>
  );
}

function correctedText(n: number, isSaved: boolean): string {
  return isSaved
    ? t('{n, plural, one {# row} other {# rows}} corrected, saved', { n })
    : t('{n, plural, one {# row} other {# rows}} corrected…', { n });
}
