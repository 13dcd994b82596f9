import { formerUsers, noteText, type Setting, users } from './cells.ts';
import { orphanShares } from './shares.ts';
import { delimited } from './text-file.ts';
import type { Orphan } from './truth.ts';

/** A contact of the main table, as the other tables name it. */
export interface Owned {
  readonly id: string;
  readonly emails: readonly string[];
}

export interface Tables {
  readonly files: Readonly<Record<string, Buffer>>;
  /** Texts by the id of the contact that they are about. */
  readonly joined: ReadonlyMap<
    string,
    readonly { readonly table: string; readonly id: string; readonly text: string }[]
  >;
  readonly orphans: readonly Orphan[];
}

const bytes = (rows: readonly (readonly string[])[]) => Buffer.from(delimited(rows, ',', '\n').text);

export const userIds = new Map(
  [...users, ...formerUsers].map((user, at) => [user.email, `u-${11 + at}`] as const),
);

/** The tables beside the contacts: users, accounts, notes and, where they have their own table, e-mail addresses. */
export function tablesBeside(
  contacts: readonly Owned[],
  accounts: ReadonlyMap<string, string>,
  withAddresses: boolean,
  setting: Setting,
): Tables {
  const { random, locale } = setting;
  const joined = new Map<string, { table: string; id: string; text: string }[]>();
  const orphans: Orphan[] = [];
  const notes = [['id', 'parent_type', 'parent_id', 'name', 'description', 'date_entered']];
  for (let at = 0; at < contacts.length * 0.6; at += 1) {
    const whose = random.weighted(orphanShares);
    const id = `n-${1000 + at}`;
    const text = noteText(setting).replaceAll('\n', ' ');
    const date = `20${random.int(18, 24)}-0${random.int(1, 9)}-1${random.int(0, 9)} 10:00:00`;
    if (whose === 'person') {
      const contact = random.pick(contacts);
      notes.push([id, 'Contacts', contact.id, 'Note', text, date]);
      joined.set(contact.id, [...(joined.get(contact.id) ?? []), { table: 'notes', id, text }]);
    } else {
      const parent = {
        organization: random.pick([...accounts.values()]),
        unknown: `zz-${random.int(100, 999)}`,
        empty: '',
      }[whose];
      orphans.push({ table: 'notes', id, line: notes.length + 1, why: whose });
      notes.push([id, whose === 'organization' ? 'Accounts' : 'Contacts', parent ?? '', 'Note', text, date]);
    }
  }
  const files: Record<string, Buffer> = {
    'users.csv': bytes([
      ['id', 'user_name', 'first_name', 'last_name', 'email'],
      ...[...users, ...formerUsers].map(({ firstName, lastName, email }) => [
        ...[
          userIds.get(email) ?? '',
          `${firstName.toLowerCase()}${lastName.slice(0, 1)}`,
          firstName,
          lastName,
          email,
        ],
      ]),
    ]),
    'accounts.csv': bytes([
      ['id', 'name', 'industry', 'billing_address_city'],
      ...[...accounts].map(([name, id]) => [
        id,
        name,
        random.pick(locale.sectors),
        random.pick(locale.cities),
      ]),
    ]),
    'notes.csv': bytes(notes),
    ...(withAddresses && addressTables(contacts)),
  };
  return { files, joined, orphans };
}

function addressTables(contacts: readonly Owned[]): Readonly<Record<string, Buffer>> {
  const addresses = [['id', 'email_address', 'invalid_email', 'opt_out', 'deleted']];
  const links = [['id', 'email_address_id', 'bean_id', 'bean_module', 'primary_address', 'deleted']];
  for (const { id, emails } of contacts) {
    for (const [at, email] of emails.entries()) {
      const number = addresses.length;
      addresses.push([`e-${number}`, email, '0', '0', '0']);
      links.push([`r-${number}`, `e-${number}`, id, 'Contacts', at === 0 ? '1' : '0', '0']);
    }
  }
  return { 'email_addresses.csv': bytes(addresses), 'email_addr_bean_rel.csv': bytes(links) };
}
