/** What an export writes: each kind is a file, or a table of one. */
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

/** One thing that is exported. */
export interface ExportRecord {
  /** As the interface gave it, every property kept; what the interface gives no object for (tags, changes) is ours. */
  readonly given: Readonly<Record<string, unknown>>;
  /**
   * In the form that is the same for every workspace: flat, times as ISO 8601 in UTC (`…Z`), values of custom fields under
   * `customFields` by the field's name, as the interface gave them.
   */
  readonly normal: Readonly<Record<string, unknown>>;
}

/** How a column's values are written where the format knows types; a value that is not of it becomes empty there. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'moment' | 'date' | 'texts' | 'json';

/** A column of a flat format. */
export interface ExportColumn {
  /** Its heading. */
  readonly name: string;
  /** Where its value stands in `normal`: `['customFields', 'Plan']`. */
  readonly path: readonly string[];
  readonly type: ColumnType;
}

/** A kind that is written, and what of it a flat format shows. */
export interface ExportTable {
  readonly kind: ExportKind;
  readonly columns: readonly ExportColumn[];
}
