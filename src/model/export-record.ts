/** The kinds of data that an export writes: each becomes a file of its own, or a table of a shared file. */
export const exportKinds = [
  'contacts',
  'changes',
  'messages',
  'messageUpdates',
  'users',
  'customFields',
  'closingNotes',
  'tags',
  'templates',
] as const;

export type ExportKind = (typeof exportKinds)[number];

/** One exported object, such as a contact or a message, as the API returns it and in normalized form. */
export interface ExportRecord {
  /**
   * The object as the API returns it, with all its properties. In a record of `changes` it is the contact; in a record
   * of `tags`, which the API does not list, it has the same properties as `normal`.
   */
  readonly given: Readonly<Record<string, unknown>>;
  /**
   * The object in the form that column paths refer to: times of contacts and messages as ISO 8601 in UTC (`…Z`), custom
   * field values of contacts, unchanged, under `customFields` by name.
   */
  readonly normal: Readonly<Record<string, unknown>>;
}

/**
 * The type of a column's values in typed formats; a value that does not fit is written as text in xlsx and left empty
 * in the others.
 */
export type ExportColumnType =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'moment'
  | 'date'
  | 'texts'
  | 'json';

/** A column of a flat format. */
export interface ExportColumn {
  /** The column's heading. */
  readonly name: string;
  /** The path of its value in `normal`: `['customFields', 'Plan']`. */
  readonly path: readonly string[];
  readonly type: ExportColumnType;
}

/** A kind of data to write, with the columns that it has in a flat format. */
export interface ExportTable {
  readonly kind: ExportKind;
  readonly columns: readonly ExportColumn[];
}
