import type { SqliteFile } from '../../storage/sqlite.ts';
import { comparablePhone } from '../comparable.ts';

/** Phones that too many people of the input share to say who somebody is. */
export interface WeakPhones {
  isWeakPhone(phone: string): boolean;
  /** Takes a phone for weak that the input alone would not show to be; as `weakPhones` gives it. */
  addWeakPhone(phone: string): void;
  /** All of them, as they are compared, in order. */
  weakPhones(): Iterable<string>;
}

export function weakPhones(file: SqliteFile): WeakPhones {
  const select = file.prepare<[string], { phone: string }>('SELECT phone FROM weak WHERE phone = ?');
  const insert = file.prepare<[string]>('INSERT OR IGNORE INTO weak (phone) VALUES (?)');
  const next = file
    .prepare<[string], string>('SELECT phone FROM weak WHERE phone > ? ORDER BY phone LIMIT 500')
    .pluck();
  return {
    isWeakPhone(phone) {
      const digits = comparablePhone(phone);
      return digits !== null && select.get(digits) !== undefined;
    },
    addWeakPhone: (phone) => void insert.run(phone),
    *weakPhones() {
      for (let last = ''; ; ) {
        const page = next.all(last);
        yield* page;
        const end = page.at(-1);
        if (end === undefined) return;
        last = end;
      }
    },
  };
}
