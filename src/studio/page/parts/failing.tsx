import type { FailingPipelineEntry } from '../../wire/history.ts';
import { formatCountWithNoun, formatDateTime } from '../figures.ts';
import { Notice } from './notice.tsx';

/** Notices of the failing pipelines, with their numbers of failed attempts. */
export function FailingPipelineNotices({ failing }: { readonly failing: readonly FailingPipelineEntry[] }) {
  return (
    <>
      {failing.map(({ pipeline, kind, failures, since, exitCode }) => (
        <Notice key={`${kind} ${pipeline}`} tone="bad">
          <p class="message">
            The {kind} {pipeline} has been failing since {formatDateTime(since)}:{' '}
            {formatCountWithNoun(failures, 'attempt')}, the last one with exit code {exitCode}.
          </p>
        </Notice>
      ))}
    </>
  );
}
