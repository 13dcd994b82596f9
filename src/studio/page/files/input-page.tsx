import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { InputPreviewResult } from '../../wire/inputs.ts';
import { formatBytes, formatCount, formatPercent } from '../figures.ts';
import { useLatestStreamEvent } from '../hooks.ts';
import { t } from '../language.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { ExternalText } from '../parts/shown-text.tsx';
import { DraftMappingForm } from './draft-mapping.tsx';
import { InputSettingsForm } from './how-read.tsx';
import { InputPreview } from './preview.tsx';
import type { InputOverrides } from './typed.ts';

/** The number of first rows, and of sample rows. */
const rows = 100;

/** An input: its detected settings, its rows, and the form that drafts a mapping. */
export function InputPage({ path }: { readonly path: string }) {
  const typed = useSignal<InputOverrides>({});
  const seed = useSignal(Math.random());
  const last = useSignal<InputPreviewResult | undefined>(undefined);
  const { value, problem } = useLatestStreamEvent('look', { path, rows, seed: seed.value, ...typed.value });
  const event = value.value;
  useEffect(() => {
    if (event?.kind === 'look') last.value = event.look;
  }, [event]);
  const look = last.value;
  const refusal =
    event?.kind === 'refused'
      ? { message: event.message, ...(event.next !== null && { next: event.next }) }
      : problem.value;
  return (
    <>
      <section aria-labelledby="input-head">
        <h2 id="input-head">
          <ExternalText text={path.slice(path.lastIndexOf('/') + 1)} />
        </h2>
        {path.includes('/') && (
          <p class="note below">
            <ExternalText text={path} />
          </p>
        )}
        {look !== undefined && <ReadSoFar look={look} />}
        <ProblemNotice problem={refusal} />
        <p class="note" role="status">
          {event === undefined && refusal === undefined ? t('Reading…') : ''}
        </p>
        {(look !== undefined || refusal !== undefined) && (
          <InputSettingsForm look={look} typed={typed.value} onTyped={(next) => (typed.value = next)} />
        )}
      </section>
      {look !== undefined && (
        <>
          <InputPreview look={look} onOthers={() => (seed.value = Math.random())} />
          <DraftMappingForm path={path} typed={typed.value} columns={look.columns} />
        </>
      )}
    </>
  );
}

/** The size of an input, and how much of it was read. */
function ReadSoFar({ look: { read, columns, notes } }: { readonly look: InputPreviewResult }) {
  return (
    <>
      <dl class="facts">
        <Fact term={t('Size')} text={formatBytes(read.ofBytes)} />
        <Fact term={t('Columns')} text={formatCount(columns.length)} />
        <Fact term={t('Read for this preview')} text={readText(read)} />
      </dl>
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>
              <ExternalText text={note} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function readText({ rows: n, ofRows: all, bytes, ofBytes }: InputPreviewResult['read']): string {
  if (all === n) return t('all {n, plural, one {# row} other {# rows}}', { n });
  const percent = formatPercent(bytes, ofBytes);
  return all === null
    ? t('{n, plural, one {# row} other {# rows}}, {percent} of the file', { n, percent })
    : t('{n, plural, one {# row} other {# rows}} of {all, number}, {percent} of the file', {
        n,
        all,
        percent,
      });
}

function Fact({ term, text }: { readonly term: string; readonly text: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{text}</dd>
    </div>
  );
}
