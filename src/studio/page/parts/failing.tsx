import type { PipelineFailure } from '../../wire/history.ts';
import { formatCounted, formatDateTime } from '../figures.ts';
import { Notice } from './notice.tsx';

/** Notices of the failing pipelines, with their numbers of failed attempts. */
export function FailingPipelines({ failing }: { readonly failing: readonly PipelineFailure[] }) {
  return (
    <>
      {failing.map(({ pipeline, kind, failures, since, exitCode }) => (
        <Notice key={`${kind} ${pipeline}`} tone="bad">
          <p class="message">
            The {kind} {pipeline} has been failing since {formatDateTime(since)}:{' '}
            {formatCounted(failures, 'attempt')}, the last one with exit code {exitCode}.
          </p>
        </Notice>
      ))}
    </>
  );
}
