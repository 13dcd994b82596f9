import { useSignal } from '@preact/signals';
import { routes } from '../../wire/routes.ts';
import { sendRequest } from '../call.ts';
import { formatBytes } from '../figures.ts';
import { useAsyncAction, useRouteAnswer } from '../hooks.ts';
import { t } from '../language.ts';
import { Button } from '../parts/controls.tsx';
import { ProblemNotice } from '../parts/notice.tsx';

interface RunFileProps {
  readonly run: string;
  readonly name: string;
}

async function fetchRunFile(file: RunFileProps): Promise<Blob> {
  return await (await sendRequest(routes.runFile, file, undefined)).blob();
}

/** How long a browser may take to start saving a file (ms). */
const savingMs = 60_000;

function saveFile(bytes: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), savingMs);
}

/** A link that downloads a file of a run. */
export function RunFileLink({ run, name }: RunFileProps) {
  const { problem, attempt } = useAsyncAction();
  const download = async () => saveFile(await fetchRunFile({ run, name }), name);
  return (
    <>
      {/* No address of its own: the browser would ask for it without the token of the page. */}
      <Button
        class="link"
        label={name}
        aria-label={t('Download {name}', { name })}
        onClick={() => attempt(download)}
      />
      <ProblemNotice problem={problem.value} />
    </>
  );
}

interface RunFilesProps {
  readonly run: string;
  /** The names of the files to list; undefined for all. */
  readonly only?: readonly string[];
}

const answers = t('answers that were given on this page');
const figures = t('the figures, for programs');

const fileNotes: Readonly<Record<string, string>> = {
  'answered-same-person.csv': answers,
  'answered-same-person.json': answers,
  'approved-merges.csv': answers,
  'contact-tags.csv': t('tags to be attached by hand'),
  'contacts.csv': t('the contact of each row'),
  'corrected-rejects.csv': answers,
  'corrected-rejects.json': answers,
  'decided-comments.csv': answers,
  'decided-comments.json': answers,
  'dropped.csv': t('values and rows left out, with the reason'),
  'gone.csv': t('people of earlier imports who are no longer in the file'),
  'log.ndjson': t('the log, for support'),
  'merge-proposals.csv': t('contacts that may be one person'),
  'rejects.csv': t('rejected rows, to be corrected'),
  'report.html': t('the report, to be read and kept'),
  'same-person.csv': t('rows that may be the same person as another, to be answered'),
  'summary.json': figures,
  'undo-kept.csv': t('what the undo could not put back: to be done by hand in the workspace'),
  'unjoined.csv': t('rows of joined tables that belong to no person'),
  'verification.csv': t('what differs'),
  'verification.html': t('the result of the check, to be signed'),
  'verification.json': figures,
};

/** The files of a run as links with what they have and their sizes; an HTML file can also be shown within the page. */
export function RunFileList({ run, only }: RunFilesProps) {
  const { value, problem } = useRouteAnswer('runFiles', { run });
  const files = value.value?.files.filter(({ name }) => only === undefined || only.includes(name));
  return (
    <>
      <ProblemNotice problem={problem.value} />
      {files?.length === 0 && <p>{t('There are none.')}</p>}
      <ul class="lines">
        {files?.map(({ name, path, bytes }) => (
          <li key={name} title={path}>
            <RunFileLink run={run} name={name} />{' '}
            <span class="note">{[fileNotes[name], formatBytes(bytes)].filter(Boolean).join(', ')}</span>
            {name.endsWith('.html') && <ShownPage run={run} name={name} />}
          </li>
        ))}
      </ul>
    </>
  );
}

function ShownPage({ run, name }: RunFileProps) {
  const html = useSignal<string | undefined>(undefined);
  const { problem, attempt } = useAsyncAction();
  const show = async () => (html.value = await (await fetchRunFile({ run, name })).text());
  const isShown = html.value !== undefined;
  return (
    <>
      {' '}
      <Button
        class="link"
        label={isShown ? t('Hide') : t('Show')}
        aria-expanded={isShown}
        aria-label={isShown ? t('Hide {name}', { name }) : t('Show {name}', { name })}
        onClick={() => {
          if (isShown) html.value = undefined;
          else attempt(show);
        }}
      />
      <ProblemNotice problem={problem.value} />
      {/* The frame has no scripts and an opaque origin, because the page has text from input files. */}
      {isShown && <iframe title={name} sandbox="" srcdoc={html.value} />}
    </>
  );
}
