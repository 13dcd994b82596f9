import type { groupShares } from './shares.ts';

/** What a cell of a row should come to. */
export type Wanted =
  | { readonly as: 'key' | 'name' | 'technical' | 'placeholder' | 'empty' }
  /** E.164; the numbers of the cell, the first first. */
  | { readonly as: 'phone'; readonly numbers: readonly string[]; readonly isShared?: true }
  | { readonly as: 'email'; readonly address: string; readonly isShared?: true }
  /** A custom field with any of these writings. */
  | { readonly as: 'value'; readonly accepted: readonly string[] }
  | { readonly as: 'checkbox'; readonly checked: boolean; readonly raw: string }
  | { readonly as: 'country'; readonly code: string }
  | { readonly as: 'language'; readonly code: string }
  /** Undefined: an owner who is no user of the workspace, which has to be listed. */
  | { readonly as: 'owner'; readonly email: string | undefined }
  | { readonly as: 'stage'; readonly name: string | null }
  | { readonly as: 'tags'; readonly names: readonly string[] }
  | { readonly as: 'comment'; readonly text: string }
  /** Cannot be imported by any reading, and has to be listed. */
  | { readonly as: 'invalid'; readonly what: 'phone' | 'email' | 'value' | 'country' };

export interface TrueCell {
  readonly column: string;
  readonly raw: string;
  readonly wanted: Wanted;
}

export interface TrueRow {
  /** The list it is in: a file, or a sheet. */
  readonly list: string;
  readonly line: number;
  readonly key: string | undefined;
  readonly first: string;
  readonly last: string;
  readonly cells: readonly TrueCell[];
  /** Texts of other tables that are about this row. */
  readonly joined: readonly { readonly table: string; readonly id: string; readonly text: string }[];
}

export type GroupKind = keyof typeof groupShares | 'switchboard';

export interface TruePerson {
  readonly id: number;
  /** People who share something have one group. */
  readonly group: number;
  readonly kind: GroupKind;
  readonly cases: readonly string[];
  readonly rows: readonly TrueRow[];
  /** The contact of the workspace that was this person before. */
  readonly contactId: number | undefined;
  /** Nothing identifies the person: the row has to be listed. */
  readonly cannotBeImported: boolean;
  /** Several people of the input have the key: they have to be listed, or to be imported as two. */
  readonly mayBeListed: boolean;
}

/** Two sides about which the table of the issue says ask. */
export interface AskedPair {
  readonly why: string;
  readonly rows: readonly TrueRow[];
  readonly contactId?: number;
}

/** A joined row that belongs to no person of the export. */
export interface Orphan {
  readonly table: string;
  readonly id: string;
  readonly line: number;
  readonly why: string;
}

export interface KnownContact {
  readonly id: number;
  readonly firstName: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly phone?: string;
}

export interface Truth {
  readonly people: readonly TruePerson[];
  readonly asked: readonly AskedPair[];
  readonly orphans: readonly Orphan[];
  /** Every column with cells, by list; technical ones have nothing of a person. */
  readonly columns: readonly {
    readonly list: string;
    readonly name: string;
    readonly isTechnical: boolean;
  }[];
  /** Contacts that are nobody of the export, and have to stay as they are. */
  readonly contacts: readonly KnownContact[];
  readonly placeholders: readonly string[];
}

/** What a person knows who answers the questions of a draft. */
export interface Knowledge {
  readonly country: string;
  /** Countries by what the export calls them. */
  readonly countries: Readonly<Record<string, string>>;
  /** The column that identifies a row, or none. */
  readonly key: string | undefined;
  readonly firstName: string;
  readonly dayFirst: boolean;
  readonly decimal: ',' | '.';
  /** Users by what the export calls them. */
  readonly users: Readonly<Record<string, string>>;
  readonly stages: Readonly<Record<string, string | null>>;
}

/** An import of its own: what is drafted, and the lists of people that it has to cover. */
export interface Part {
  /** Relative to the folder of the export. */
  readonly path: string;
  readonly system: string;
  readonly sheets: readonly string[];
  /** Sheets of the workbook in which no people are. */
  readonly others: readonly string[];
  readonly knows: Knowledge;
}

export interface Export {
  readonly seed: number;
  readonly shape: string;
  readonly locale: string;
  readonly encoding: string;
  readonly traits: readonly string[];
  readonly files: Readonly<Record<string, Buffer>>;
  readonly parts: readonly Part[];
  readonly users: readonly {
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
  }[];
  readonly contacts: readonly KnownContact[];
  readonly truth: Truth;
}
