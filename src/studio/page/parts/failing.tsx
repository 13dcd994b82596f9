import type { FailingPipelineEntry } from '../../wire/history.ts';
import { formatCountWithNoun, formatDateTime } from '../figures.ts';
import { Notice } from './notice.tsx';

/** What an exit code says about the last attempt. */
const reasons: Readonly<Record<number, string>> = {
  1: 'The last one failed unexpectedly.',
  2: 'The last one found a mistake in a file or the input.',
  4: 'The last one stopped at too many errors, at a guard or at its time limit.',
  5: 'The workspace refused the token of the last one.',
  6: 'The last one found another run at work.',
  7: 'The last one could not reach the workspace.',
  130: 'The last one was stopped by a person.',
  143: 'The last one was stopped by a person, or by the machine.',
};

/** Notices of the failing pipelines, with their numbers of failed attempts. */
export function FailingPipelineNotices({ failing }: { readonly failing: readonly FailingPipelineEntry[] }) {
  return (
    <>
      {failing.map(({ pipeline, kind, failures, since, exitCode }) => (
        <Notice key={`${kind} ${pipeline}`} tone="bad">
          <p class="message">
            The {kind} {pipeline} has been failing since {formatDateTime(since)}:{' '}
            {formatCountWithNoun(failures, 'attempt')}. {reasons[exitCode] ?? reasons[1]}
          </p>
        </Notice>
      ))}
    </>
  );
}
