import Database from 'better-sqlite3';

/** A contact as the workspace holds it, with what its interface does not show. */
export interface Contact {
  readonly id: number;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly language: string | null;
  readonly countryCode: string | null;
  readonly lifecycle: string | null;
  readonly assignee: string | null;
  /** By the name of the field. */
  readonly custom: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  readonly comments: readonly string[];
}

interface ContactRow extends Omit<Contact, 'custom' | 'tags' | 'comments' | 'assignee'> {
  readonly custom: string;
  readonly assignee: number | null;
}

/** Everything in the file of a sandbox, by plain SELECTs. */
export function contactsOf(file: string): readonly Contact[] {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const all = <Row>(sql: string): readonly Row[] => db.prepare<[], Row>(sql).all();
    const fields = new Map(
      all<{ id: number; name: string }>('SELECT id, name FROM custom_fields').map((each) => [
        String(each.id),
        each.name,
      ]),
    );
    const users = new Map(
      all<{ id: number; emailKey: string }>('SELECT id, emailKey FROM users').map((each) => [
        each.id,
        each.emailKey.toLowerCase(),
      ]),
    );
    const tags = listed(
      all<{ contact: number; text: string }>(
        'SELECT contact, name AS text FROM contact_tags JOIN tags ON tags.id = tag',
      ),
    );
    const comments = listed(
      all<{ contact: number; text: string }>('SELECT contact, text FROM comments ORDER BY id'),
    );
    return all<ContactRow>(
      'SELECT id, firstName, lastName, email, phone, language, countryCode, lifecycle, assignee, custom FROM contacts ORDER BY id',
    ).map(({ custom, assignee, ...contact }) => ({
      ...contact,
      assignee: assignee === null ? null : (users.get(assignee) ?? null),
      custom: customOf(custom, fields),
      tags: tags.get(contact.id) ?? [],
      comments: comments.get(contact.id) ?? [],
    }));
  } finally {
    db.close();
  }
}

function customOf(json: string, fields: ReadonlyMap<string, string>): Record<string, string> {
  const values: Record<string, unknown> = JSON.parse(json);
  return Object.fromEntries(
    Object.entries(values).flatMap(([id, value]) =>
      value === null || value === '' ? [] : [[fields.get(id) ?? id, String(value)] as const],
    ),
  );
}

function listed(rows: readonly { contact: number; text: string }[]): ReadonlyMap<number, readonly string[]> {
  const lists = new Map<number, string[]>();
  for (const { contact, text } of rows) lists.set(contact, [...(lists.get(contact) ?? []), text]);
  return lists;
}
