import type { Cell, ListedRow, Row, SourceItem } from '../../model/row.ts';
import { arrayRows } from '../json/array-rows.ts';
import { itemOf } from '../json/items.ts';
import type { CopiedRow } from './copy-file.ts';

/** The list that a contact's messages are. */
export const messageList = 'messages';

/** A contact of the copy as a row, its messages as a list of it. */
export function contactItem({ seq, json, messages }: CopiedRow, maxRowBytes: number): SourceItem {
  const trouble = Buffer.byteLength(json) > maxRowBytes ? 'tooLarge' : null;
  const item = itemOf(
    { line: seq, text: json, trouble },
    {
      nulls: [],
      without: [],
      loneSurrogates: 'replace',
      maxRowBytes,
    },
  );
  return item.kind === 'row' && messages !== null ? new ContactRow(item, messages) : item;
}

class ContactRow implements Row {
  readonly kind = 'row';
  readonly line: number;
  readonly #contact: Row;
  readonly #messages: string;

  constructor(contact: Row, messages: string) {
    this.line = contact.line;
    this.#contact = contact;
    this.#messages = messages;
  }

  cell(column: string): Cell | undefined {
    return this.#contact.cell(column);
  }

  entries(): readonly (readonly [column: string, cell: Cell])[] {
    return this.#contact.entries();
  }

  list(name: string): readonly ListedRow[] | undefined {
    return name === messageList ? arrayRows(this.#messages) : this.#contact.list?.(name);
  }
}
