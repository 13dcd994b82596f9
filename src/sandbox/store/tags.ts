import type { SqliteFile } from '../../storage/sqlite.ts';

/** A tag of the workspace (specification: Tag). */
export interface Tag {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly emoji: string;
  readonly colorCode: string;
}

export type NewTag = Omit<Tag, 'id'> & { readonly id?: number | undefined };

export const mostTags = 10;

export interface TagStore {
  named(name: string): Tag | undefined;
  /** The tag of that name, made where it is missing. */
  ensure(name: string): Tag;
  add(tag: NewTag): Tag;
  save(tag: Tag): void;
  /** Also from every contact. */
  remove(id: number): void;
  namesOf(contact: number): readonly string[];
  /** Adds tags that the contact does not have; returns how many it has then, which may be too many. */
  attach(contact: number, names: readonly string[]): number;
  /** As many of `from`'s tags as fit go to `to`; the others are lost. */
  move(from: number, to: number): void;
}

export function createTagStore(db: SqliteFile): TagStore {
  const named = db.prepare<[string], Tag>('SELECT * FROM tags WHERE name = ?');
  const insert = db.prepare<[number | null, string, string, string, string]>(
    'INSERT INTO tags (id, name, description, emoji, colorCode) VALUES (?, ?, ?, ?, ?)',
  );
  const update = db.prepare<[string, string, string, string, number]>(
    'UPDATE tags SET name = ?, description = ?, emoji = ?, colorCode = ? WHERE id = ?',
  );
  const remove = db.prepare<[number]>('DELETE FROM tags WHERE id = ?');
  const detachAll = db.prepare<[number]>('DELETE FROM contact_tags WHERE tag = ?');
  const detachFrom = db.prepare<[number]>('DELETE FROM contact_tags WHERE contact = ?');
  const namesOf = db
    .prepare<[number], string>(
      'SELECT name FROM contact_tags JOIN tags ON tags.id = tag WHERE contact = ? ORDER BY place',
    )
    .pluck();
  const place = db
    .prepare<[number], number>('SELECT coalesce(max(place), 0) FROM contact_tags WHERE contact = ?')
    .pluck();
  const attach = db.prepare<[number, number, number]>(
    'INSERT OR IGNORE INTO contact_tags (contact, tag, place) VALUES (?, ?, ?)',
  );

  const store: TagStore = {
    named: (name) => named.get(name),
    ensure: (name) => named.get(name) ?? store.add({ name, description: '', emoji: '', colorCode: '' }),
    add(tag) {
      const { lastInsertRowid } = insert.run(
        tag.id ?? null,
        tag.name,
        tag.description,
        tag.emoji,
        tag.colorCode,
      );
      return { ...tag, id: Number(lastInsertRowid) };
    },
    save: (tag) => {
      update.run(tag.name, tag.description, tag.emoji, tag.colorCode, tag.id);
    },
    remove(id) {
      detachAll.run(id);
      remove.run(id);
    },
    namesOf: (contact) => namesOf.all(contact),
    attach(contact, names) {
      let last = place.get(contact) ?? 0;
      for (const name of names) {
        last += 1;
        attach.run(contact, store.ensure(name).id, last);
      }
      return namesOf.all(contact).length;
    },
    move(from, to) {
      const has = namesOf.all(to);
      const more = namesOf.all(from).filter((name) => !has.includes(name));
      store.attach(to, more.slice(0, mostTags - has.length));
      detachFrom.run(from);
    },
  };
  return store;
}
