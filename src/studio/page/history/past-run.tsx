import { useSignal } from '@preact/signals';
import type { RunFile } from '../../wire/run-details.ts';
import { formatBytes } from '../figures.ts';
import { useRouteAnswer } from '../hooks.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { buildHref } from '../place.ts';
import { runStateTones } from '../run/run-state.ts';
import { UndoSection } from './undo.tsx';
import { VerifySection } from './verify.tsx';

/** A finished run: its report and files, its verification and its undo. */
export function PastRunPage({ run }: { readonly run: string }) {
  const { value, problem } = useRouteAnswer('status', { run });
  const { value: report, problem: missing } = useRouteAnswer('report', { run });
  const status = value.value;
  const canVerify = status?.kind === 'import' && status.prunedAt === null;
  return (
    <>
      <section aria-labelledby="past-head">
        <h2 id="past-head">
          {run} {status && <span class={`tag ${runStateTones[status.state]}`}>{status.state}</span>}
        </h2>
        <ProblemNotice problem={problem.value ?? missing.value} />
        <p>
          <a href={buildHref('run', run)}>Open the run</a>
        </p>
        {canVerify && <VerifySection run={run} />}
        {status?.kind === 'export' && 'folder' in status && status.folder !== null && (
          <p>
            Exported into <code>{status.folder}</code>.{' '}
            <a href={buildHref('exports', status.pipeline)}>Its exports</a>
          </p>
        )}
      </section>
      {canVerify && status.state !== 'running' && <UndoSection run={run} />}
      {report.value !== undefined && (
        <section aria-labelledby="report-head">
          <h2 id="report-head">Report</h2>
          {report.value.html === null ? (
            <p>There is none: it is written when a run ends.</p>
          ) : (
            <Report run={run} html={report.value.html} />
          )}
          <Files files={report.value.files} />
        </section>
      )}
    </>
  );
}

function Report({ run, html }: { readonly run: string; readonly html: string }) {
  const isShown = useSignal(false);
  return (
    <>
      <p>
        <button
          type="button"
          class="quiet"
          aria-expanded={isShown.value}
          onClick={() => {
            isShown.value = !isShown.value;
          }}
        >
          {isShown.value ? 'Hide the report' : 'Show the report'}
        </button>
      </p>
      {/* The frame has no scripts and an opaque origin, because the report has text from input files. */}
      {isShown.value && <iframe class="report" title={`Report of ${run}`} sandbox="" srcdoc={html} />}
    </>
  );
}

function Files({ files }: { readonly files: readonly RunFile[] }) {
  if (files.length === 0) return null;
  return (
    <>
      <h3>Files of the run</h3>
      <ul class="file-list">
        {files.map(({ path, name, bytes }) => (
          <li key={name}>
            <code>{path}</code> <span class="note">{formatBytes(bytes)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
