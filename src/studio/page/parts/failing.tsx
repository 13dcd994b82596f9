import type { FailingPipelineEntry } from '../../wire/history.ts';
import { formatDateTime } from '../figures.ts';
import { t } from '../language.ts';
import { Notice } from './notice.tsx';

/** What an exit code says about the last attempt. */
const reasons: Readonly<Record<number, string>> = {
  1: t('The last one failed unexpectedly.'),
  2: t('The last one found a mistake in a file or the input.'),
  4: t('The last one stopped at too many errors, at a guard or at its time limit.'),
  5: t('The workspace refused the token of the last one.'),
  6: t('The last one found another run at work.'),
  7: t('The last one could not reach the workspace.'),
  130: t('The last one was stopped by a person.'),
  143: t('The last one was stopped by a person, or by the machine.'),
};

/** Notices of the failing pipelines, with their numbers of failed attempts. */
export function FailingPipelineNotices({ failing }: { readonly failing: readonly FailingPipelineEntry[] }) {
  return (
    <>
      {failing.map((entry) => (
        <Notice key={`${entry.kind} ${entry.pipeline}`} tone="bad">
          <p class="message">
            {failingText(entry)} {reasons[entry.exitCode] ?? reasons[1]}
          </p>
        </Notice>
      ))}
    </>
  );
}

function failingText({ pipeline, kind, failures: n, since }: FailingPipelineEntry): string {
  const values = { pipeline, n, since: formatDateTime(since) };
  return kind === 'export'
    ? t(
        'The export {pipeline} has been failing since {since}: {n, plural, one {# attempt} other {# attempts}}.',
        values,
      )
    : t(
        'The import {pipeline} has been failing since {since}: {n, plural, one {# attempt} other {# attempts}}.',
        values,
      );
}
