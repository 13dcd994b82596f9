import { type ContactView, contactView } from './contact-view.ts';
import type { Comment } from './store/comments.ts';
import type { ContactRow } from './store/contacts.ts';
import type { Store } from './store/store.ts';

/** Everything the workspace knows of a contact, also what the interface does not show. */
export interface ContactRecord extends ContactView {
  /** Whether it cannot be seen through the interface yet. */
  readonly processing: boolean;
  readonly closing: { readonly category: string; readonly summary: string | null } | null;
  /** In the order they came. */
  readonly comments: readonly Comment[];
}

const batch = 500;

/** Every contact by id, those in processing included; reads in batches, so that others may write in between. */
export function* contactRecords(store: Store, now: number): Generator<ContactRecord> {
  let rows = store.contacts.after(0, batch);
  while (rows.length > 0) {
    for (const row of rows) yield contactRecord(row, store, now);
    rows = store.contacts.after(rows.at(-1)?.id ?? 0, batch);
  }
}

function contactRecord(row: ContactRow, store: Store, now: number): ContactRecord {
  const { closingCategory: category, closingSummary: summary } = row;
  return {
    ...contactView(row, store),
    processing: row.readyAt > now,
    closing: category === null ? null : { category, summary },
    comments: store.comments.of(row.id),
  };
}
