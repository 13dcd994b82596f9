import type { ComponentChildren } from 'preact';
import {
  formatLeftBehindDetails,
  formatLeftBehindFix,
  formatLeftBehindTitle,
  type LeftBehindGroup,
  leftBehindTitle,
} from '../../wire/left-behind.ts';
import { formatProblemCode } from './problem-code.ts';

interface LeftBehindListProps {
  readonly items: readonly LeftBehindGroup[];
  /** Shows the link to a file of the run; undefined before there is a run. */
  fileLink?(name: string): ComponentChildren;
}

/** The list of what an import leaves behind, in the words of the commands. */
export function LeftBehindList({ items, fileLink }: LeftBehindListProps) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{leftBehindTitle}</h3>
      <ul class="plain" aria-label={leftBehindTitle}>
        {items.map((item) => (
          <li key={item.kind}>
            <details>
              <summary>{formatLeftBehindTitle(item)}</summary>
              {formatLeftBehindDetails(withPlainCodes(item)).map((text) => (
                <p key={text} class="sentence">
                  {text}
                </p>
              ))}
              <p class="note">{formatLeftBehindFix(item)}</p>
              {item.file !== null && fileLink?.(item.file)}
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Returns the group with problem codes in plain words; only rejected rows are counted by such codes. */
function withPlainCodes(item: LeftBehindGroup): LeftBehindGroup {
  if (item.kind !== 'rejected') return item;
  return { ...item, values: item.values.map(({ value, n }) => ({ value: formatProblemCode(value), n })) };
}
