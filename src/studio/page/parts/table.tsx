import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isCompact } from '../density.ts';

export interface TableColumn<Row> {
  readonly head: string;
  cell(row: Row): ComponentChildren;
  /** The column's width in CSS grid; `minmax(8rem, 1fr)` by default. */
  readonly width?: string;
  readonly figures?: boolean;
  /** True for short texts that are never cut: the column grows with the longest one that was visible. */
  readonly isWhole?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  /** The number of rows, including those that are not loaded. */
  readonly rows: number;
  /** Returns a row; undefined for one that is not loaded. */
  rowAt(index: number): Row | undefined;
  /** Called with the indexes of the first and the last visible row, so that these can be fetched. */
  onRange?(from: number, to: number): void;
  /** Scrolls to a row; each new object scrolls again. */
  readonly jump?: { readonly to: number } | undefined;
  /** True if cells are chosen instead of rows, also by the left and right arrow keys. */
  readonly byCell?: boolean;
  /** Called when a row, or a cell of it, is opened by Enter or a click. */
  onOpen?(row: Row, index: number, column: number): void;
}

/** Returns the width of a column in which a text of so many characters is not cut. */
export function toColumnWidth(characters: number): string {
  // The width is in rem and not in characters, because the head has smaller letters than the rows.
  return `${characters * 0.56 + 1.6}rem`;
}

/** Returns a text with its writing direction isolated, by which a style decides on which side it is cut. */
function isolated(cell: ComponentChildren): ComponentChildren {
  return typeof cell === 'string' ? <bdi>{cell}</bdi> : cell;
}

/** True for fingers, which need larger rows. */
const isCoarse = matchMedia('(pointer: coarse)').matches;

/** A table that renders only the visible rows; arrow keys, Page Up and Down, Home and End move in it. */
export function VirtualTable<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowAt, onRange, jump, byCell = false, onOpen } = props;
  const id = useId();
  // In pixels. Browsers limit an element to about 33 million of them: 1.1 million rows.
  const rowHeight = isCoarse ? 40 : isCompact.value ? 24 : 28;
  const scroller = useRef<HTMLDivElement>(null);
  const [, setRound] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [chosenColumn, setChosenColumn] = useState(0);
  const options = {
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => setRound((round) => round + 1),
  };
  const [virtual] = useState(() => new Virtualizer<HTMLDivElement, HTMLDivElement>(options));
  virtual.setOptions(options);
  useLayoutEffect(() => virtual._didMount(), [virtual]);
  useLayoutEffect(() => virtual._willUpdate());
  useLayoutEffect(() => virtual.measure(), [virtual, rowHeight]);
  const items = virtual.getVirtualItems();
  const [first, last] = [items.at(0)?.index ?? 0, items.at(-1)?.index ?? 0];
  useLayoutEffect(() => onRange?.(first, last), [first, last, onRange]);

  const current = Math.min(chosen, Math.max(0, rows - 1));
  const choose = (index: number) => {
    const next = Math.max(0, Math.min(rows - 1, index));
    setChosen(next);
    virtual.scrollToIndex(next);
  };
  useLayoutEffect(() => {
    if (jump !== undefined) choose(jump.to);
  }, [jump]);
  const currentColumn = Math.min(chosenColumn, columns.length - 1);
  const cellId = (index: number, column: number) => `${id}-${index}${byCell ? `-${column}` : ''}`;
  const chooseColumn = (column: number) => {
    const next = Math.max(0, Math.min(columns.length - 1, column));
    setChosenColumn(next);
    document.getElementById(cellId(current, next))?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  const open = (index: number, column: number) => {
    const row = rowAt(index);
    if (row !== undefined) onOpen?.(row, index, column);
  };
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    PageDown: current + page,
    PageUp: current - page,
    Home: 0,
    End: rows - 1,
  };
  const sideways: Readonly<Record<string, number>> = byCell ? { ArrowLeft: -1, ArrowRight: 1 } : {};
  const onKeyDown = (event: KeyboardEvent) => {
    const [to, by] = [moves[event.key], sideways[event.key]];
    if (to === undefined && by === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (to !== undefined) choose(to);
    else if (by !== undefined) chooseColumn(currentColumn + by);
    else open(current, currentColumn);
  };
  const longest = useRef(new Map<number, number>());
  const shownRows = items.flatMap(({ index }) => rowAt(index) ?? []);
  const widths = columns.map(({ cell, width = 'minmax(8rem, 1fr)', isWhole }, column) => {
    if (isWhole !== true) return width;
    const most = shownRows.reduce(
      (n, row) => Math.max(n, String(cell(row)).length),
      longest.current.get(column) ?? 0,
    );
    longest.current.set(column, most);
    return `max(${width}, ${toColumnWidth(most)})`;
  });
  const rowStyle = { height: `${rowHeight}px`, gridTemplateColumns: widths.join(' ') };
  const isShown = items.some(({ index }) => index === current);
  return (
    <div
      class="table"
      style={{ height: `${(rows + 1) * rowHeight + 2}px` }}
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows + 1}
      aria-colcount={columns.length}
      aria-activedescendant={rows > 0 && isShown ? cellId(current, currentColumn) : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" class="sheet">
        <div role="row" class="head" aria-rowindex={1} style={rowStyle}>
          {columns.map(({ head, figures }, column) => (
            <div role="columnheader" tabIndex={-1} key={column} class={figures ? 'n' : ''}>
              {head}
            </div>
          ))}
        </div>
        <div
          role="rowgroup"
          class="body"
          style={{ position: 'relative', height: `${virtual.getTotalSize()}px` }}
        >
          {items.map(({ index, start }) => {
            const row = rowAt(index);
            return (
              <div
                role="row"
                key={index}
                id={byCell ? undefined : cellId(index, 0)}
                aria-rowindex={index + 2}
                aria-selected={index === current}
                style={{ ...rowStyle, transform: `translateY(${start}px)` }}
              >
                {columns.map(({ cell, figures }, column) => (
                  <div
                    role="gridcell"
                    key={column}
                    id={byCell ? cellId(index, column) : undefined}
                    aria-selected={byCell ? index === current && column === currentColumn : undefined}
                    class={figures ? 'n' : ''}
                    onClick={() => {
                      setChosen(index);
                      setChosenColumn(column);
                      open(index, column);
                    }}
                  >
                    {row === undefined ? '…' : isolated(cell(row))}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
