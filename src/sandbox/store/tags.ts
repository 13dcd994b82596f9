import { number, text } from '../../storage/columns.ts';
import { change, insert, select, selectCount, selectOne } from '../../storage/sql.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';

/** A tag of the workspace (specification: Tag). */
export interface Tag {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly emoji: string;
  readonly colorCode: string;
}

type NewTag = Omit<Tag, 'id'> & { readonly id?: number | undefined };

const tagRow = { id: number, name: text, description: text, emoji: text, colorCode: text };

export const mostTags = 10;

export function createTagStore(db: SqliteFile) {
  const named = (name: string) => selectOne(db, tagRow)`SELECT * FROM tags WHERE name = ${name}`;
  const namesOf = (contact: number): readonly string[] =>
    select(db, { name: text })`
      SELECT name FROM contact_tags JOIN tags ON tags.id = tag WHERE contact = ${contact} ORDER BY place`.map(
      ({ name }) => name,
    );
  const add = (tag: NewTag): Tag => ({ ...tag, id: insert(db, 'tags', { ...tag, id: tag.id ?? null }) });
  /** The tag of that name, made where it is missing. */
  const ensure = (name: string): Tag =>
    named(name) ?? add({ name, description: '', emoji: '', colorCode: '' });
  /** Adds tags that the contact does not have; returns how many it has then, which may be too many. */
  const attach = (contact: number, names: readonly string[]): number => {
    let last = selectCount(db)`
      SELECT coalesce(max(place), 0) AS n FROM contact_tags WHERE contact = ${contact}`;
    for (const name of names) {
      last += 1;
      change(db)`INSERT OR IGNORE INTO contact_tags (contact, tag, place)
        VALUES (${contact}, ${ensure(name).id}, ${last})`;
    }
    return namesOf(contact).length;
  };
  return {
    named,
    namesOf,
    add,
    attach,
    /** Takes the tags of these names from the contact. */
    detach(contact: number, names: readonly string[]): void {
      for (const name of names) {
        change(db)`DELETE FROM contact_tags
          WHERE contact = ${contact} AND tag = (SELECT id FROM tags WHERE name = ${name})`;
      }
    },
    save: ({ id, name, description, emoji, colorCode }: Tag) =>
      change(db)`UPDATE tags SET name = ${name}, description = ${description}, emoji = ${emoji},
        colorCode = ${colorCode} WHERE id = ${id}`,
    /** The contact has these tags and no others. */
    replace(contact: number, names: readonly string[]): void {
      change(db)`DELETE FROM contact_tags WHERE contact = ${contact}`;
      if (names.length > 0) attach(contact, names);
    },
    /** Also from every contact. */
    remove(id: number) {
      change(db)`DELETE FROM contact_tags WHERE tag = ${id}`;
      change(db)`DELETE FROM tags WHERE id = ${id}`;
    },
    /** As many of `from`'s tags as fit go to `to`; the others are lost. */
    move(from: number, to: number) {
      const has = namesOf(to);
      const more = namesOf(from).filter((name) => !has.includes(name));
      attach(to, more.slice(0, mostTags - has.length));
      change(db)`DELETE FROM contact_tags WHERE contact = ${from}`;
    },
  };
}
