import { type ContactRecord, listContactsAfterId, readContactRecords } from '../contact-record.ts';
import { openSandboxStore } from '../store/store.ts';

/** The versions of a contact before and after a change; undefined if it did not exist then. */
export interface ContactVersions {
  readonly id: number;
  readonly before: ContactRecord | undefined;
  readonly after: ContactRecord | undefined;
}

/** Opens the files of a local workspace before and after a change, to compare them; no other process may use them. */
export function openWorkspaceComparison(files: { readonly before: string; readonly after: string }) {
  const [before, after] = [openSandboxStore(files.before), openSandboxStore(files.after)];
  return {
    /** Yields every contact that one or both of the workspaces have, by id. */
    *pairs(): Generator<ContactVersions> {
      const lefts = readContactRecords(before, Number.MAX_SAFE_INTEGER);
      const rights = readContactRecords(after, Number.MAX_SAFE_INTEGER);
      let [left, right] = [next(lefts), next(rights)];
      while (left !== undefined || right !== undefined) {
        const id = Math.min(left?.id ?? Number.POSITIVE_INFINITY, right?.id ?? Number.POSITIVE_INFINITY);
        const [was, is] = [left?.id === id ? left : undefined, right?.id === id ? right : undefined];
        yield { id, before: was, after: is };
        if (was !== undefined) left = next(lefts);
        if (is !== undefined) right = next(rights);
      }
    },
    /** Returns the contacts of one state whose ids are greater than `id`, in order of id, at most `limit`. */
    contactsAfter: (state: 'before' | 'after', id: number, limit: number): readonly ContactRecord[] =>
      listContactsAfterId(state === 'before' ? before : after, id, limit),
    close(): void {
      before.close();
      after.close();
    },
  };
}

function next<T>(items: Iterator<T>): T | undefined {
  const { done, value } = items.next();
  return done === true ? undefined : value;
}
