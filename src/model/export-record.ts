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
   * The object as the API returns it, with all its properties. A record of `changes` holds the contact; tags, which the
   * API does not list, have the same here as in `normal`.
   */
  readonly given: Readonly<Record<string, unknown>>;
  /**
   * The object in the form that column paths refer to: times of contacts and messages as ISO 8601 in UTC
   * (`…Z`), custom field values of contacts under `customFields` by name, as the interface gave them.
   */
  readonly normal: Readonly<Record<string, unknown>>;
}

/**
 * The type of a column's values in typed formats; a value that does not fit is written as text in xlsx,
 * elsewhere empty.
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

/** A kind that is written, with the columns that a flat format shows of it. */
export interface ExportTable {
  readonly kind: ExportKind;
  readonly columns: readonly ExportColumn[];
}
