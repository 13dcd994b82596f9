import type {
  ExportPipelineEntry,
  FailingPipelineEntry,
  LatePipeline,
  RunInterval,
} from '../../wire/history.ts';
import { formatDateTime } from '../figures.ts';
import { t } from '../language.ts';
import { Notice } from './notice.tsx';

interface PipelineNoticesProps {
  readonly failing: readonly FailingPipelineEntry[];
  readonly late: readonly LatePipeline[];
}

/** Notices of the failing pipelines, with their numbers of failed attempts, and of those whose next run is overdue. */
export function PipelineNotices({ failing, late }: PipelineNoticesProps) {
  return (
    <>
      {failing.map((entry) => (
        <Notice key={`${entry.kind} ${entry.pipeline}`} tone="bad">
          <p class="message">
            {failingText(entry)} {reasons[entry.exitCode] ?? reasons[1]}
          </p>
        </Notice>
      ))}
      {late.map((entry) => (
        <Notice key={`${entry.kind} ${entry.pipeline}`} tone="look" message={lateText(entry)}>
          <p>
            {guessWords(entry.rhythm)} {t('Does its timer still run?')}
          </p>
        </Notice>
      ))}
    </>
  );
}

/** The list of the gaps between runs in which runs are missing; nothing without gaps. */
export function MissingRunList({ rhythm }: { readonly rhythm: RunInterval }) {
  if (rhythm.gaps.length === 0) return null;
  return (
    <>
      <h3>{t('Missing')}</h3>
      <ul>
        {rhythm.gaps.map(({ from, to, missing }) => (
          <li key={from}>
            {t('{n, number} between {from} and {to}', {
              n: missing,
              from: formatDateTime(from),
              to: formatDateTime(to),
            })}
          </li>
        ))}
      </ul>
      <p class="note">{guessWords(rhythm)}</p>
    </>
  );
}

function lateText({ kind, pipeline, rhythm }: LatePipeline): string {
  const values = { pipeline, since: formatDateTime(rhythm.lastAt), interval: everyWords(rhythm) };
  const n = rhythm.late;
  if (kind === 'export')
    return n > 1
      ? t('{pipeline}: no export since {since}, expected {interval}: {n, number} are missing.', {
          ...values,
          n,
        })
      : t('{pipeline}: no export since {since}, expected {interval}.', values);
  return n > 1
    ? t('{pipeline}: no import since {since}, expected {interval}: {n, number} are missing.', {
        ...values,
        n,
      })
    : t('{pipeline}: no import since {since}, expected {interval}.', values);
}

function guessWords(rhythm: RunInterval): string {
  return t(
    'Guessed from when the latest {n, plural, one {# run} other {# runs}} began: {interval}, by the median.',
    { n: rhythm.times, interval: everyWords(rhythm) },
  );
}

const [hour, day] = [3_600, 86_400];

/** Formats an interval: `every day`, `every 6 hours`. */
function everyWords({ everySeconds }: RunInterval): string {
  const days = Math.round(everySeconds / day);
  const isDays = days > 0 && Math.abs(everySeconds - days * day) < day / 8;
  if (isDays && days === 7) return t('every week');
  return isDays
    ? t('{n, plural, one {every day} other {every # days}}', { n: days })
    : t('{n, plural, one {every hour} other {every # hours}}', {
        n: Math.max(1, Math.round(everySeconds / hour)),
      });
}

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

/** The same notices of export pipelines. */
export function ExportPipelineNotices({ pipelines }: { readonly pipelines: readonly ExportPipelineEntry[] }) {
  const late = pipelines.flatMap(({ pipeline, rhythm }) =>
    pipeline === null || rhythm === null || rhythm.late === 0
      ? []
      : [{ kind: 'export' as const, pipeline, rhythm }],
  );
  return <PipelineNotices failing={pipelines.flatMap(({ failing }) => failing ?? [])} late={late} />;
}
