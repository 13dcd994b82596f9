import { comparablePhone } from '../comparable.ts';
import type { RebuildableFile } from '../rebuildable-file.ts';

/** Asks whether a phone is shared by too many people of the input to say who somebody is. */
export function weakPhones(file: RebuildableFile): (phone: string) => boolean {
  const select = file.prepare<[string], { phone: string }>('SELECT phone FROM weak WHERE phone = ?');
  return (phone) => {
    const digits = comparablePhone(phone);
    return digits !== null && select.get(digits) !== undefined;
  };
}
