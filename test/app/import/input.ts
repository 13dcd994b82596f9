import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type InputIndex,
  openInputIndex,
  type RowLinkRules,
} from '../../../src/identity/input-index/index.ts';
import type { MappingResult } from '../../../src/model/draft.ts';
import type { Row, Source, SourceItem } from '../../../src/model/row.ts';
import { linkRules } from '../../identity/link-rules.ts';
import { workDir } from '../../journal/work-dir.ts';
import { mapRow } from './simulation/map-row.ts';

/** Items from memory, in batches. */
export function sourceOf(items: readonly SourceItem[], batch = 2): Source {
  return {
    inspect: () => Promise.reject(new Error('nothing to inspect')),
    async *read(from) {
      for (let at = from; at < items.length; at += batch) yield items.slice(at, at + batch);
    },
  };
}

/** A row of the input by its columns. */
export function rowOf(line: number, cells: Readonly<Record<string, string>>): Row {
  return { kind: 'row', line, cell: (column) => cells[column], entries: () => Object.entries(cells) };
}

export interface IndexOptions extends Partial<RowLinkRules> {
  readonly map?: (row: Row) => MappingResult;
  /** The items that a run takes up which does not take up all. */
  readonly selected?: readonly number[];
}

/** Who the items are, as the scan finds out. */
export function indexOf(
  items: readonly SourceItem[],
  { switchboard = 5, map = mapRow, selected = [], ...rules }: IndexOptions = {},
): InputIndex {
  const { index } = openInputIndex(join(workDir(), 'index.db'), 'items');
  onTestFinished(() => index.close());
  for (const [seq, item] of items.entries()) {
    const mapped = item.kind === 'row' ? map(item) : undefined;
    if (mapped?.ok !== true) continue;
    const {
      email = null,
      phone = null,
      firstName: first = null,
      lastName: family = null,
    } = mapped.draft.values.contact;
    const { key } = mapped.draft;
    index.add({ seq, line: item.line, key, email, phone, person: first ?? '', first, family });
  }
  index.finish(linkRules({ switchboard, ...rules }));
  for (const seq of selected) index.select(seq);
  return index;
}
