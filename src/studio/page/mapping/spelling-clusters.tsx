import { useSignal } from '@preact/signals';
import type { SpellingCluster } from '../../wire/mapping.ts';
import { formatCount } from '../figures.ts';
import { t } from '../language.ts';
import { Button } from '../parts/controls.tsx';
import { project } from '../project.ts';
import type { MappingEditorState } from './open-mapping.ts';
import { SelectionCheckbox, useTableSelection } from './selection.tsx';
import type { ValueMap } from './value-map.ts';

interface SpellingClustersProps {
  readonly clusters: readonly SpellingCluster[];
  readonly map: ValueMap;
  readonly open: MappingEditorState;
}

const step = 10;

/** The clusters of spellings that are probably one value but become different values; a click makes them one value. */
export function SpellingClusters({ clusters, map, open }: SpellingClustersProps) {
  const most = useSignal(step);
  /** The values chosen for clusters, by their most frequent spelling. */
  const chosen = useSignal<ReadonlyMap<string, string>>(new Map());
  const selection = useTableSelection();
  const differing = clusters.flatMap(({ by, spellings }) => {
    const counted = spellings.filter(({ value }) => map.becomes(value) !== null);
    const [first] = counted;
    if (first === undefined || new Set(counted.map(({ value }) => map.becomes(value))).size < 2) return [];
    const key = first.value;
    return [{ key, by, spellings: counted, into: chosen.value.get(key) ?? map.becomes(key) ?? '' }];
  });
  if (differing.length === 0) return null;
  const merge = (merged: typeof differing) => {
    const values = merged.flatMap(({ spellings, into }) =>
      spellings.filter(({ value }) => map.becomes(value) !== into).map(({ value }) => [value, into] as const),
    );
    if (merged.some(({ into }) => into === '') || values.length === 0) return;
    void open.change(map.set(values));
    selection.select(
      merged.map(({ key }) => key),
      false,
    );
  };
  const choose = (key: string, value: string) => (chosen.value = new Map([...chosen.value, [key, value]]));
  const shown = differing.slice(0, most.value);
  const selected = differing.filter(({ key }) => selection.keys.has(key));
  const isOff = project.value.readOnly;
  return (
    <details open>
      <summary>
        {t('{n, plural, one {# value} other {# values}} probably written in several ways', {
          n: differing.length,
        })}
      </summary>
      <table class="values">
        <caption class="hidden">{t('Values that are probably written in several ways')}</caption>
        <thead>
          <tr>
            <td>
              <SelectionCheckbox
                label={t('Select all clusters shown')}
                keys={shown.map(({ key }) => key)}
                selection={selection}
              />
            </td>
            <th scope="col">{t('Spellings and their rows')}</th>
            <th scope="col">{t('All become')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((cluster) => (
            <tr key={cluster.key}>
              <td>
                <SelectionCheckbox
                  label={t('Select the cluster of {value}', { value: cluster.key })}
                  keys={[cluster.key]}
                  selection={selection}
                />
              </td>
              <th scope="row">
                {cluster.spellings.map(({ value, n }) => (
                  <span key={value}>
                    <Button
                      class="link"
                      label={value}
                      title={t('Take this spelling')}
                      onClick={() => choose(cluster.key, map.becomes(value) ?? value)}
                    />{' '}
                    <span class="note">{formatCount(n)}</span>
                  </span>
                ))}
                {cluster.by === 'letters' && <span class="note">{t('similar letters only')}</span>}
              </th>
              <td>
                <div class="with-button">
                  <input
                    aria-label={t('The cluster of {value} becomes', { value: cluster.key })}
                    value={cluster.into}
                    readOnly={isOff}
                    onInput={({ currentTarget }) => choose(cluster.key, currentTarget.value)}
                  />
                  <Button
                    class="quiet"
                    label={t('Apply')}
                    aria-label={t('Apply to the cluster of {value}', { value: cluster.key })}
                    aria-disabled={isOff || cluster.into === ''}
                    onClick={() => isOff || merge([cluster])}
                  />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="buttons">
        <Button
          class="quiet"
          label={t('Apply all selected')}
          aria-disabled={isOff || selected.length === 0}
          onClick={() => selected.length > 0 && merge(selected)}
        />
        <span class="note" role="status">
          {selected.length === 0
            ? t('Select clusters to apply several at once.')
            : t('{n, plural, one {# cluster} other {# clusters}} selected', { n: selected.length })}
        </span>
        {differing.length > most.value && (
          <Button class="link" label={t('More clusters')} onClick={() => (most.value += step)} />
        )}
      </p>
    </details>
  );
}
