import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { CountedValue, TargetOutline, ValueTableProgress } from '../../wire/mapping.ts';
import { formatCount, formatPercent } from '../figures.ts';
import { useStreamedAnswer } from '../hooks.ts';
import { rich, t } from '../language.ts';
import { Button, Form } from '../parts/controls.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { formatTargetLabel } from '../parts/target-words.ts';
import { project } from '../project.ts';
import { FindReplace, type Replacement, replaceInValue } from './find-replace.tsx';
import type { MappingEditorState } from './open-mapping.ts';
import { type SelectedTableRows, SelectionCheckbox, useTableSelection } from './selection.tsx';
import { SpellingClusters } from './spelling-clusters.tsx';
import { readValueMap, type ValueMap } from './value-map.ts';
import type { MappingPreviewRequest } from './view-state.ts';
import { suggestionsFor } from './workspace-names.tsx';

interface ValueTableProps {
  readonly target: TargetOutline;
  readonly open: MappingEditorState;
  readonly request: MappingPreviewRequest;
}

const step = 25;

/** The texts that the input has for a target, with their counts and values, and controls that change them. */
export function ValueTableEditor({ target, open, request }: ValueTableProps) {
  const { value, problem } = useStreamedAnswer('mappingValues', 'values', {
    ...request,
    target: target.name,
  });
  // A change of the table does not change the counts: those of the whole file are shown until they are counted again.
  const counted = useRef<ValueTableProgress | undefined>(undefined);
  const latest = value.value?.values;
  if (latest?.done || !counted.current?.done) counted.current = latest;
  const table = counted.current;
  const map = readValueMap(target);
  return (
    <>
      <ProblemNotice problem={problem.value} />
      {table === undefined ? (
        problem.value === undefined && <p role="status">{t('Counting the values…')}</p>
      ) : (
        <>
          <p class="note">{distinctWords(table)}</p>
          <SpellingClusters clusters={table.clusters} {...{ map, open }} />
          <Values values={[...table.values, ...unseen(table, map)]} {...{ map, target, open }} />
        </>
      )}
    </>
  );
}

function distinctWords({ distinct, done, share }: ValueTableProgress): string {
  if (!done) return t('Counting the values: {share} of the file read.', { share: formatPercent(share, 1) });
  return distinct.atLeast
    ? t(
        'At least {n, plural, one {# distinct value} other {# distinct values}}: not all could be counted. The most frequent are listed and compared.',
        { n: distinct.n },
      )
    : t('{n, plural, one {# distinct value} other {# distinct values}}.', { n: distinct.n });
}

/** Returns the texts that the table lists and no row has. */
function unseen({ values }: ValueTableProgress, { listed }: ValueMap): readonly CountedValue[] {
  const seen = new Set(values.map(({ value }) => value.toLowerCase()));
  return listed.filter((text) => !seen.has(text.toLowerCase())).map((value) => ({ value, n: 0 }));
}

interface ValuesProps extends Pick<ValueTableProps, 'target' | 'open'> {
  readonly values: readonly CountedValue[];
  readonly map: ValueMap;
}

function Values({ values, map, target, open }: ValuesProps) {
  const most = useSignal(step);
  const selection = useTableSelection();
  const replacement = useSignal<Replacement>({ find: '', into: '', isWhole: false, matchesCase: false });
  const found =
    replacement.value.find === ''
      ? values
      : values.filter(({ value }) => findIn(value, map, replacement.value) !== undefined);
  const changes = found.flatMap(({ value }) => {
    const into = findIn(value, map, replacement.value);
    return into === undefined ? [] : [[value, into] as const];
  });
  /** What each value would become, by its text in lower case, because the lookup in the table ignores case. */
  const preview = new Map(changes.toReversed().map(([text, into]) => [text.toLowerCase(), into] as const));
  const shown = found.slice(0, most.value);
  const selected = [...selection.keys];
  return (
    <>
      <FindReplace
        replacement={replacement.value}
        found={{ values: changes.length, rows: found.reduce((sum, { n }) => sum + n, 0) }}
        isOff={project.value.readOnly}
        onChange={(changed) => (replacement.value = changed)}
        onReplace={() => {
          void open.change(map.set(changes));
          replacement.value = { ...replacement.value, find: '', into: '' };
        }}
      />
      <table class="values">
        <caption class="hidden">
          {t('Values of {target}', { target: formatTargetLabel(target.name) })}
        </caption>
        <thead>
          <tr>
            <td>
              <SelectionCheckbox
                label={t('Select all values shown')}
                keys={shown.map(({ value }) => value)}
                selection={selection}
              />
            </td>
            <th scope="col">{t('In the file')}</th>
            <th scope="col" class="n">
              {t('Rows')}
            </th>
            <th scope="col">{t('Becomes')}</th>
            <th scope="col">{t('No value')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <ValueRow
              key={row.value}
              {...{ row, map, open, selection }}
              suggestions={suggestionsFor(target.name)}
              preview={preview.get(row.value.toLowerCase())}
            />
          ))}
        </tbody>
      </table>
      {found.length > most.value && (
        <Button class="link" label={t('More values')} onClick={() => (most.value += step)} />
      )}
      {selected.length > 0 && (
        <SelectedValues
          texts={selected}
          {...{ map, open }}
          onDone={() => selection.select(selected, false)}
        />
      )}
    </>
  );
}

/** Returns the value of a text after a replacement; undefined where the replacement does not change it. */
function findIn(text: string, map: ValueMap, replacement: Replacement): string | undefined {
  const value = map.becomes(text);
  return value === null ? undefined : replaceInValue(value, replacement);
}

interface SelectedProps {
  readonly texts: readonly string[];
  readonly map: ValueMap;
  readonly open: MappingEditorState;
  onDone(): void;
}

/** A form that gives all selected texts the same value. */
function SelectedValues({ texts, map, open, onDone }: SelectedProps) {
  const into = useSignal('');
  const apply = (edit: Parameters<MappingEditorState['change']>[0]) => {
    void open.change(edit);
    onDone();
  };
  const set = (value: string | null) => apply(map.set(texts.map((text) => [text, value])));
  return (
    <Form
      class="row selected"
      aria-label={t('Selected values')}
      isOff={into.value === ''}
      onSubmit={() => set(into.value)}
    >
      <label>
        {texts.length === 1
          ? t('The selected value becomes')
          : t('All {n, number} selected become', { n: texts.length })}{' '}
        <input value={into.value} onInput={({ currentTarget }) => (into.value = currentTarget.value)} />
      </label>
      <Button type="submit" label={t('Apply')} aria-disabled={into.value === ''} />
      <Button class="quiet" label={t('No value')} onClick={() => set(null)} />
      <Button class="quiet" label={t('As in the file')} onClick={() => apply(map.remove(texts))} />
    </Form>
  );
}

interface ValueRowProps {
  readonly row: CountedValue;
  readonly map: ValueMap;
  readonly open: MappingEditorState;
  readonly selection: SelectedTableRows;
  /** What a replacement would make of the value; undefined if it does not change it. */
  readonly preview: string | undefined;
  /** The id of the list of suggestions for the value; undefined for none. */
  readonly suggestions: string | undefined;
}

/** A text with its number of rows and the value that it becomes; an empty field keeps the text. */
function ValueRow({ row: { value: text, n }, map, open, selection, preview, suggestions }: ValueRowProps) {
  const isOff = project.value.readOnly;
  const labels = labelsOf(text);
  const isListed = map.lists(text);
  const becomes = isListed ? map.becomes(text) : '';
  const set = (value: string | null) => {
    if (value !== '') void open.change(map.set([[text, value]]));
    else if (isListed) void open.change(map.remove([text]));
  };
  return (
    <tr>
      <td>
        <SelectionCheckbox label={labels.select} keys={[text]} selection={selection} />
      </td>
      <th scope="row">{text === '' ? <span class="note">{t('empty')}</span> : <bdi>{text}</bdi>}</th>
      <td class="n">{formatCount(n)}</td>
      <td>
        <input
          aria-label={labels.becomes}
          list={suggestions}
          value={becomes ?? ''}
          placeholder={becomes === null ? t('no value') : text}
          readOnly={isOff}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
        {preview !== undefined && (
          <p class="note">
            {preview === ''
              ? t('would become no value')
              : rich('would become {value}', { value: <b>{preview}</b> })}
          </p>
        )}
      </td>
      <td>
        <input
          type="checkbox"
          aria-label={labels.noValue}
          checked={becomes === null}
          disabled={isOff}
          onChange={({ currentTarget }) => set(currentTarget.checked ? null : '')}
        />
      </td>
    </tr>
  );
}

/** Returns the labels of the controls in a text's row. */
function labelsOf(text: string) {
  return text === ''
    ? {
        select: t('Select an empty cell'),
        becomes: t('an empty cell becomes'),
        noValue: t('an empty cell gives no value'),
      }
    : {
        select: t('Select {value}', { value: text }),
        becomes: t('{value} becomes', { value: text }),
        noValue: t('{value} gives no value', { value: text }),
      };
}
