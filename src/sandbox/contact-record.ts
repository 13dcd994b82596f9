import { iteratePages, queryPageSize } from '../storage/pages.ts';
import { type ContactView, toContactView } from './contact-view.ts';
import type { Comment } from './store/comments.ts';
import type { ContactRow } from './store/contacts.ts';
import type { SandboxStore } from './store/store.ts';

/** A contact with all of its stored data, including data that the interface does not show. */
export interface ContactRecord extends ContactView {
  /** True while the contact is not yet visible through the interface. */
  readonly processing: boolean;
  readonly closing: { readonly category: string; readonly summary: string | null } | null;
  /** In the order in which they were added. */
  readonly comments: readonly Comment[];
}

/** Yields every contact by id, those in processing included; reads pages, so that requests may write in between. */
export function* readContactRecords(store: SandboxStore, now: number): Generator<ContactRecord> {
  const pages = iteratePages((last?: ContactRow) => store.contacts.after(last?.id ?? 0, queryPageSize));
  for (const rows of pages) for (const row of rows) yield contactRecord(row, store, now);
}

/** Returns up to `limit` contacts after `id`, in id order; `processing` is false in all of them. */
export function listContactsAfterId(
  store: SandboxStore,
  id: number,
  limit: number,
): readonly ContactRecord[] {
  return store.contacts.after(id, limit).map((row) => contactRecord(row, store, Number.MAX_SAFE_INTEGER));
}

function contactRecord(row: ContactRow, store: SandboxStore, now: number): ContactRecord {
  const { closingCategory: category, closingSummary: summary } = row;
  return {
    ...toContactView(row, store),
    processing: row.readyAt > now,
    closing: category === null ? null : { category, summary },
    comments: store.comments.of(row.id),
  };
}
