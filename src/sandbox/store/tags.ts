import { numberColumn, textColumn } from '../../storage/columns.ts';
import { insertRow, runSql, select, selectCount, selectOne } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';

/** A tag of the workspace (specification: Tag). */
export interface SandboxTag {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly emoji: string;
  readonly colorCode: string;
}

type NewTag = Omit<SandboxTag, 'id'> & { readonly id?: number | undefined };

const tagRow = {
  id: numberColumn,
  name: textColumn,
  description: textColumn,
  emoji: textColumn,
  colorCode: textColumn,
};

export const maxContactTags = 10;

export function createTagStore(db: SqliteConnection) {
  const named = (name: string) => selectOne(db, tagRow)`SELECT * FROM tags WHERE name = ${name}`;
  const namesOf = (contact: number): readonly string[] =>
    select(db, { name: textColumn })`
      SELECT name FROM contact_tags JOIN tags ON tags.id = tag WHERE contact = ${contact} ORDER BY place`.map(
      ({ name }) => name,
    );
  const add = (tag: NewTag): SandboxTag => ({
    ...tag,
    id: insertRow(db, 'tags', { ...tag, id: tag.id ?? null }),
  });
  /** Returns the tag of that name, and creates it if it is missing. */
  const ensure = (name: string): SandboxTag =>
    named(name) ?? add({ name, description: '', emoji: '', colorCode: '' });
  /** Adds the tags that the contact lacks; returns how many tags it then has, which may be more than are allowed. */
  const attach = (contact: number, names: readonly string[]): number => {
    let last = selectCount(db)`
      SELECT coalesce(max(place), 0) AS n FROM contact_tags WHERE contact = ${contact}`;
    for (const name of names) {
      last += 1;
      runSql(db)`INSERT OR IGNORE INTO contact_tags (contact, tag, place)
        VALUES (${contact}, ${ensure(name).id}, ${last})`;
    }
    return namesOf(contact).length;
  };
  return {
    named,
    namesOf,
    add,
    attach,
    /** Removes the tags of these names from the contact. */
    detach(contact: number, names: readonly string[]): void {
      for (const name of names) {
        runSql(db)`DELETE FROM contact_tags
          WHERE contact = ${contact} AND tag = (SELECT id FROM tags WHERE name = ${name})`;
      }
    },
    save: ({ id, name, description, emoji, colorCode }: SandboxTag) =>
      runSql(db)`UPDATE tags SET name = ${name}, description = ${description}, emoji = ${emoji},
        colorCode = ${colorCode} WHERE id = ${id}`,
    /** Replaces the contact's tags with these. */
    replace(contact: number, names: readonly string[]): void {
      runSql(db)`DELETE FROM contact_tags WHERE contact = ${contact}`;
      if (names.length > 0) attach(contact, names);
    },
    /** Deletes a tag, also from every contact. */
    remove(id: number) {
      runSql(db)`DELETE FROM contact_tags WHERE tag = ${id}`;
      runSql(db)`DELETE FROM tags WHERE id = ${id}`;
    },
    /** Moves the tags of `from` to `to`, as many as fit; the others are lost. */
    move(from: number, to: number) {
      const has = namesOf(to);
      const more = namesOf(from).filter((name) => !has.includes(name));
      attach(to, more.slice(0, maxContactTags - has.length));
      runSql(db)`DELETE FROM contact_tags WHERE contact = ${from}`;
    },
  };
}
