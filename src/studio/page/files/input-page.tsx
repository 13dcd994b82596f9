import { useSignal } from '@preact/signals';
import type { InputPreviewResult } from '../../wire/inputs.ts';
import { formatBytes, formatCount, formatPercent } from '../figures.ts';
import { useStreamedAnswer } from '../hooks.ts';
import { t } from '../language.ts';
import { FactList } from '../parts/lists.tsx';
import { ProblemNotice, Section, StatusNote } from '../parts/notice.tsx';
import { ExternalText, NoteList } from '../parts/shown-text.tsx';
import { formatFileName } from '../run/run-name.ts';
import { DraftMappingForm } from './draft-mapping.tsx';
import { type InputOverrides, InputSettingsForm } from './input-settings.tsx';
import { NewerInputOffer, NewerInputSection } from './newer-input.tsx';
import { InputPreview } from './preview.tsx';

const rows = 100;

interface InputPageProps {
  readonly path: string;
  /** The import that the input is a newer file for; undefined for a new import. */
  readonly pipeline: string | undefined;
}

/** An input: its detected settings, its rows, and the form that drafts a mapping or makes an import read it. */
export function InputPage({ path, pipeline }: InputPageProps) {
  const typed = useSignal<InputOverrides>({});
  const seed = useSignal(Math.random());
  const { value, problem, isOld } = useStreamedAnswer('look', 'look', {
    ...{ path, rows, seed: seed.value },
    ...typed.value,
  });
  const look = value.value?.look;
  const refusal = problem.value;
  const file = { path, typed: typed.value };
  return (
    <>
      <Section title={<ExternalText text={formatFileName(path)} />}>
        {path.includes('/') && (
          <p class="note lead">
            <ExternalText text={path} />
          </p>
        )}
        {look !== undefined && <ReadSoFar look={look} />}
        <ProblemNotice problem={refusal} />
        <StatusNote>{isOld.value && refusal === undefined ? t('Reading…') : ''}</StatusNote>
        {(look !== undefined || refusal !== undefined) && (
          <InputSettingsForm look={look} typed={typed.value} onTyped={(next) => (typed.value = next)} />
        )}
      </Section>
      {look !== undefined && (
        <>
          {pipeline === undefined ? (
            <NewerInputOffer {...file} />
          ) : (
            <NewerInputSection {...file} pipeline={pipeline} />
          )}
          {pipeline === undefined && <DraftMappingForm {...file} columns={look.columns} />}
          <InputPreview look={look} onOthers={() => (seed.value = Math.random())} />
        </>
      )}
    </>
  );
}

function ReadSoFar({ look: { read, columns, notes } }: { readonly look: InputPreviewResult }) {
  return (
    <>
      <FactList
        facts={{
          [t('Size')]: formatBytes(read.ofBytes),
          [t('Columns')]: formatCount(columns.length),
          [t('Read for this preview')]: readText(read),
        }}
      />
      <NoteList notes={notes} />
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
