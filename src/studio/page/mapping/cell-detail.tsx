import type { RowsPage } from '../../wire/mapping.ts';
import { formatRowLine } from '../figures.ts';
import { rich, t, translateEngineText } from '../language.ts';
import { problemEffectLabels } from '../parts/problem-words.ts';
import { ExternalText } from '../parts/shown-text.tsx';
import { formatTargetWithKind } from '../parts/target-words.ts';
import { project } from '../project.ts';
import { hasValueTable } from './line-details.tsx';
import { TargetResultView, ValueTraceList } from './result.tsx';
import { readValueMap } from './value-map.ts';
import type { MappingViewState, TargetProps } from './view-state.ts';

interface CellDetailProps {
  readonly row: RowsPage['rows'][number];
  /** The column of the cell; undefined for a record that is not a row. */
  readonly column: string | undefined;
  readonly view: MappingViewState;
  /** The text of the mapping when the row was found: the problems of the row are those under this text. */
  readonly under: string | undefined;
}

/** A cell of a row as it is in the file, what each target makes of it, and the problems of the row. */
export function CellDetail({ row, column, view, under }: CellDetailProps) {
  const traced = view.row.value.value?.row;
  const isRead = traced?.number === row.number;
  const reading =
    (isRead && traced.trace.targets.filter(({ cells }) => cells.some((each) => each.column === column))) ||
    [];
  const targets = (view.open.shown.value?.outline?.targets ?? []).filter(
    ({ name, columns }) =>
      columns.some((each) => each.column === column) && reading.some(({ target }) => target === name),
  );
  const shown = new Set(
    reading.flatMap(({ problems, notes }) => [...problems, ...notes].map(({ reason }) => reason)),
  );
  const isSame = view.request?.text === under;
  const others = row.problems.filter(
    (each) => isSame && !shown.has(each.reason) && (each.column ?? column) === column,
  );
  const raw = row.raw ?? row.cells.find(([name]) => name === column)?.[1] ?? '';
  return (
    <div class="opened" aria-live="polite">
      <h3>
        {column === undefined
          ? t('Line {line}', { line: formatRowLine(row.line) })
          : rich('Line {line}, {column}', {
              line: formatRowLine(row.line),
              column: <ExternalText text={column} />,
            })}
      </h3>
      <dl>
        <div>
          <dt>{t('In the file')}</dt>
          <dd>
            {raw === '' ? (
              <span class="note">{t('empty')}</span>
            ) : (
              <code>
                <ExternalText text={raw} />
              </code>
            )}
          </dd>
        </div>
        {targets.map((target) => (
          <div key={target.path.join('.')}>
            <dt>{formatTargetWithKind(target)}</dt>
            <dd>
              <ValueTraceList {...{ target, view }} />
              <TargetResultView {...{ target, view }} />
              <CorrectedTexts {...{ target, view }} />
            </dd>
          </div>
        ))}
      </dl>
      {others.map(({ code, effect, reason }) => (
        <p key={code} class="wrong">
          {t('{effect}: {reason}', {
            effect: problemEffectLabels[effect],
            reason: translateEngineText(reason),
          })}
        </p>
      ))}
      {isRead && column !== undefined && targets.length === 0 && (
        <p class="note">{t('No target reads this column: the import leaves it out.')}</p>
      )}
    </div>
  );
}

/** A field for each text that a target reads from the cell; what is typed there replaces the text in every row. */
function CorrectedTexts({ target, view }: TargetProps) {
  const traced = view.row.value.value?.row?.trace.targets.find((each) => each.target === target.name);
  if (traced === undefined || project.value.readOnly || !hasValueTable(target)) return null;
  const map = readValueMap(target);
  return (
    <>
      {listTextsToTranslate(traced.steps).map((text) => (
        <label key={text}>
          {rich('{text} is read as', { text: <ExternalText text={text} /> })}
          <input
            value={map.lists(text) ? (map.becomes(text) ?? '') : ''}
            placeholder={map.becomes(text) === null ? t('no value') : text}
            onChange={({ currentTarget: { value } }) => {
              if (value !== '') void view.open.change(map.set([[text, value]]));
              else if (map.lists(text)) void view.open.change(map.remove([text]));
            }}
          />
        </label>
      ))}
    </>
  );
}

/** Returns the texts that the table of values of a target is asked for: those of the last step before it. */
function listTextsToTranslate(
  steps: readonly { readonly step: string; readonly texts: readonly string[] }[],
): readonly string[] {
  const end = steps.findIndex(({ step }) => step === 'values' || step === 'join');
  const texts = steps.slice(0, end === -1 ? undefined : end).at(-1)?.texts ?? [];
  return [...new Set(texts.filter((text) => text !== ''))];
}
