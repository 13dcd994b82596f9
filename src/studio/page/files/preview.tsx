import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { InputPreviewResult, PreviewRow } from '../../wire/inputs.ts';
import { formatPercent, formatRowLine } from '../figures.ts';
import { t, translateEngineText } from '../language.ts';
import { Button } from '../parts/controls.tsx';
import { ExternalText, showInvisibleCharacters } from '../parts/shown-text.tsx';
import { type TableColumn, toColumnWidth, VirtualTable } from '../parts/table.tsx';
import { mergePreviewLines, type PreviewLine } from './preview-lines.ts';

interface PreviewProps {
  readonly look: InputPreviewResult;
  onOthers(): void;
}

/** The first rows or sample rows of an input, and the problems of the file. */
export function InputPreview({ look, onOthers }: PreviewProps) {
  const shown = useSignal<'first' | 'spread'>('first');
  const jump = useSignal<{ readonly to: number } | undefined>(undefined);
  const open = useSignal<PreviewLine | undefined>(undefined);
  const isFirst = shown.value === 'first';
  const first = useMemo(() => mergePreviewLines(look.first, look.problems), [look]);
  const spread = useMemo(() => mergePreviewLines(look.spread.rows, []), [look]);
  const lines = isFirst ? first : spread;
  const columns = useMemo(() => columnsOf(look.columns, lines), [lines]);
  const toLine = (line: number) => {
    shown.value = 'first';
    const to = first.findIndex((each) => each.line === line);
    jump.value = { to };
    open.value = first[to];
  };
  const choose = (which: 'first' | 'spread') => {
    shown.value = which;
    open.value = undefined;
    jump.value = { to: 0 };
  };
  return (
    <section aria-labelledby="rows-head">
      <div class="row">
        <h2 id="rows-head">{t('Rows')}</h2>
        <fieldset class="choice" aria-label={t('Which rows')}>
          <Button label={t('First rows')} aria-pressed={isFirst} onClick={() => choose('first')} />
          <Button label={t('Random rows')} aria-pressed={!isFirst} onClick={() => choose('spread')} />
        </fieldset>
        {!isFirst && <Button class="quiet" label={t('Other rows')} onClick={onOthers} />}
        {!isFirst && (
          <span class="note">
            {look.spread.from === 'file'
              ? t('From all over the file')
              : t('From the {n, plural, one {# row} other {# rows}} that were read', { n: look.read.rows })}
          </span>
        )}
      </div>
      <VirtualTable
        label={isFirst ? t('The first rows') : t('Random rows')}
        columns={columns}
        rows={lines.length}
        rowAt={(index) => lines[index]}
        jump={jump.value}
        onOpen={(line) => (open.value = line)}
      />
      <div aria-live="polite">
        {open.value !== undefined && <Opened line={open.value} columns={look.columns} />}
      </div>
      <FileProblemList look={look} onLine={toLine} />
    </section>
  );
}

/** The minimum and the maximum width of a column, in characters. */
const [narrowest, widest] = [8, 28];

function columnsOf(
  names: readonly string[],
  lines: readonly PreviewLine[],
): readonly TableColumn<PreviewLine>[] {
  const widthOf = (name: string, index: number) => {
    const longest = Math.max(name.length, ...lines.map(({ cells }) => cells[index]?.length ?? 0));
    return `minmax(${toColumnWidth(Math.min(widest, Math.max(narrowest, longest)))}, 1fr)`;
  };
  const longestPlace = Math.max(5, ...lines.map((line) => placeOf(line).length));
  return [
    {
      ...{ head: t('Line'), width: toColumnWidth(longestPlace), figures: true },
      cell: placeOf,
    },
    ...names.map((name, index) => ({
      head: showInvisibleCharacters(name),
      width: widthOf(name, index),
      cell: ({ cells, problem }: PreviewLine) => {
        if (problem !== null && index === 0)
          return <span class="wrong">{showInvisibleCharacters(translateEngineText(problem))}</span>;
        const cell = cells[index];
        return cell == null ? '' : <ExternalText text={cell} />;
      },
    })),
  ];
}

function placeOf({ line, at }: Pick<PreviewRow, 'line' | 'at'>): string {
  if (line !== null) return formatRowLine(line);
  return at === null ? '' : t('at {percent}', { percent: formatPercent(at, 1) });
}

function headOf({ line, at }: PreviewLine): string {
  return line === null
    ? t('Row at {percent}', { percent: formatPercent(at ?? 0, 1) })
    : t('Line {line}', { line: formatRowLine(line) });
}

function Opened({ line, columns }: { readonly line: PreviewLine; readonly columns: readonly string[] }) {
  return (
    <div class="opened">
      <h3>{headOf(line)}</h3>
      {line.problem === null ? (
        <dl>
          {columns.map((name, index) => (
            <div key={`${index} ${name}`}>
              <dt>
                <ExternalText text={name} />
              </dt>
              <dd>
                <Whole cell={line.cells[index]} />
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <>
          <p>{translateEngineText(line.problem)}</p>
          {line.raw !== null && (
            <pre>
              <ExternalText text={line.raw} />
            </pre>
          )}
        </>
      )}
    </div>
  );
}

function Whole({ cell }: { readonly cell: string | null | undefined }) {
  return cell == null || cell === '' ? <span class="note">{t('empty')}</span> : <ExternalText text={cell} />;
}

interface ProblemsProps {
  readonly look: InputPreviewResult;
  onLine(line: number): void;
}

function FileProblemList({ look: { problems, broken, read }, onLine }: ProblemsProps) {
  const ofLines = problems.filter(({ line }) => line !== null).length;
  return (
    <>
      <h3>{t('Problems of the file')}</h3>
      {problems.length === 0 && (
        <p>
          {t(
            '{n, plural, one {# row was} other {# rows were}} read without problems. The values in them are checked under Mapping.',
            { n: read.rows },
          )}
        </p>
      )}
      {broken > ofLines && (
        <p>
          {t(
            '{n, plural, one {# record} other {# records}} cannot be read as rows. The first {shown, number}:',
            { n: broken, shown: ofLines },
          )}
        </p>
      )}
      {problems.length > 0 && (
        <ul class="lines aligned scrolls" aria-label={t('Problems of the file')}>
          {problems.map(({ line, code, reason }) => (
            <li key={`${line} ${code}`} title={code}>
              {line === null ? (
                <span class="tag bad">{t('whole file')}</span>
              ) : (
                <Button
                  class="link"
                  label={t('Line {line}', { line: formatRowLine(line) })}
                  onClick={() => onLine(line)}
                />
              )}
              <span>
                <ExternalText text={translateEngineText(reason)} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
