import type { SqliteFile } from '../../storage/sqlite.ts';
import type { DataType, FieldDefinition } from '../rules/data-types.ts';

interface FieldRow {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly dataType: DataType;
  readonly allowedValues: string;
}

export type NewField = Omit<FieldDefinition, 'id'> & { readonly id?: number | undefined };

export interface CustomFieldStore {
  all(): readonly FieldDefinition[];
  named(name: string): FieldDefinition | undefined;
  withSlug(slug: string): FieldDefinition | undefined;
  add(field: NewField): FieldDefinition;
}

/** The definitions, read once and kept: every contact that is shown needs them. */
export function createCustomFieldStore(db: SqliteFile): CustomFieldStore {
  const select = db.prepare<[], FieldRow>('SELECT * FROM custom_fields ORDER BY id');
  const insert = db.prepare<[number | null, string, string, string, string, string]>(
    'INSERT INTO custom_fields (id, name, slug, description, dataType, allowedValues) VALUES (?, ?, ?, ?, ?, ?)',
  );
  let all: readonly FieldDefinition[] = [];
  let byName = new Map<string, FieldDefinition>();
  const read = (): void => {
    all = select.all().map((row) => {
      const allowedValues: readonly string[] = JSON.parse(row.allowedValues);
      return { ...row, allowedValues };
    });
    byName = new Map(all.map((field) => [field.name, field]));
  };
  read();
  return {
    all: () => all,
    named: (name) => byName.get(name),
    withSlug: (slug) => all.find((field) => field.slug === slug),
    add(field) {
      const { lastInsertRowid } = insert.run(
        field.id ?? null,
        field.name,
        field.slug,
        field.description,
        field.dataType,
        JSON.stringify(field.allowedValues),
      );
      read();
      return { ...field, id: Number(lastInsertRowid) };
    },
  };
}
