import type { ComponentChildren } from 'preact';
import { type LeftBehindGroup, leftBehindTitle } from '../../wire/left-behind.ts';
import { formatCount, formatRowLine } from '../figures.ts';
import { t, translateEngineText } from '../language.ts';
import { formatProblemCode } from './problem-words.ts';

interface LeftBehindListProps {
  readonly items: readonly LeftBehindGroup[];
  /** Shows the links to the file that lists a group; undefined before there is a run. */
  fileLinks?(item: LeftBehindGroup, file: string): ComponentChildren;
}

const mostShown = 5;

/** The list of what an import leaves behind, in the words of the commands. */
export function LeftBehindList({ items, fileLinks }: LeftBehindListProps) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{translateEngineText(leftBehindTitle)}</h3>
      <ul class="lines" aria-label={translateEngineText(leftBehindTitle)}>
        {items.map((item) => (
          <li key={item.kind}>
            <details>
              <summary>{titleOf(item)}</summary>
              {item.values.length > 0 && <p class="sentence">{valuesOf(item)}</p>}
              {item.example !== null && <p class="sentence">{exampleOf(item.example)}</p>}
              <p class="note">{fixOf(item)}</p>
              {item.file !== null && fileLinks?.(item, item.file)}
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}

function titleOf({ title: text, n, known }: LeftBehindGroup): string {
  const title = translateEngineText(text);
  return known === 'workspace'
    ? t('{title}: {n, number} (known with the workspace)', { title, n })
    : t('{title}: {n, number}', { title, n });
}

/** Returns the most frequent values with their counts; rejected rows are counted by problem codes. */
function valuesOf({ kind, values }: LeftBehindGroup): string {
  const shown = values.slice(0, mostShown).map(({ value, n }) => {
    const words = kind === 'rejected' ? formatProblemCode(value) : value;
    return n > 1 ? `${words} (${formatCount(n)})` : words;
  });
  const rest = values.length - shown.length;
  return rest === 0
    ? shown.join(', ')
    : t('{values} and {rest, number} more', { values: shown.join(', '), rest });
}

function exampleOf({ line, sheet, text }: NonNullable<LeftBehindGroup['example']>): string {
  const place =
    sheet === undefined
      ? t('line {line}', { line: formatRowLine(line) })
      : t('row {line} of the sheet {sheet}', { line: String(line), sheet });
  return text === '' ? place : t('{place}: {text}', { place, text });
}

function fixOf({ file, fix: text }: LeftBehindGroup): string {
  const fix = translateEngineText(text);
  return file === null ? fix : t('Listed in {file} of the run. {fix}', { file, fix });
}
