import type { SourceItem } from '../../model/row.ts';
import { arrayRows } from '../json/array-rows.ts';
import { itemOf } from '../json/items.ts';
import type { CopiedRow } from './copy-file.ts';

/** The list that a contact's messages are. */
export const messageList = 'messages';

/** A contact of the copy as a row, its messages as a list of it. */
export function contactItem({ seq, json, messages }: CopiedRow, maxRowBytes: number): SourceItem {
  const problem = Buffer.byteLength(json) > maxRowBytes ? 'tooLarge' : null;
  const item = itemOf(
    { line: seq, text: json, problem },
    {
      nulls: [],
      without: [],
      loneSurrogates: 'replace',
      maxRowBytes,
    },
  );
  if (item.kind !== 'row' || messages === null) return item;
  return {
    kind: 'row',
    line: item.line,
    cell: (column) => item.cell(column),
    entries: () => item.entries(),
    list: (name) => (name === messageList ? arrayRows(messages) : item.list?.(name)),
  };
}
