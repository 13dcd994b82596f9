import type { TableFacts } from '../../../sources/tables.ts';
import type { ColumnRole } from '../columns/header-names.ts';
import type { YamlValue } from '../yaml/entry.ts';
import type { TableFileOptions } from './stated-tables.ts';

/** A join of a dump's tables, as a pipeline states it in YAML. */
export interface TableJoin {
  readonly table: string;
  readonly on?: { readonly [column: string]: string };
  readonly split?: string;
  readonly via?: {
    readonly table: string;
    readonly on: { readonly [column: string]: string };
    readonly to: { readonly [column: string]: string };
    readonly where?: { readonly [column: string]: YamlValue };
  };
  readonly where?: { readonly [column: string]: YamlValue };
  readonly pick?: { readonly [column: string]: YamlValue };
  readonly many?: boolean;
  readonly join?: { readonly [name: string]: TableJoin };
}

/** The mapping's rule that makes a comment of each row of a joined list. */
export interface JoinedListCommentRule {
  readonly each: string;
  readonly key: string;
  readonly text: string;
  readonly order?: string;
  /** The formats of dates by column, or a question about them. */
  readonly dates?: { readonly [column: string]: string | readonly string[] };
  readonly needs?: string | readonly string[];
  readonly html?: readonly string[];
}

/** A column of a joined list (`emails.address`), and the name of the custom field that keeps all its values. */
export interface JoinedListField {
  readonly name: string;
  readonly from: string;
}

/** The table of people in a dump, the joins to it, and the joined columns that the mapping reads. */
export interface JoinPlan {
  readonly table: string;
  readonly where: { readonly [column: string]: YamlValue };
  readonly joins: { readonly [name: string]: TableJoin };
  /** Columns of joined tables that the mapping reads, with their roles. */
  readonly roles: ReadonlyMap<string, ColumnRole | undefined>;
  /** Lists that hold tags: `labels.name`. */
  readonly tags: readonly string[];
  readonly comments: readonly JoinedListCommentRule[];
  /** Lists that hold all e-mails or phones of people who have several, each with the name of its custom field. */
  readonly further: readonly JoinedListField[];
  /** The tables whose files the pipeline must state, with the options of each file. */
  readonly files: { readonly [table: string]: TableFileOptions };
  /** All tables with rows, and their numbers of rows. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  /** Tables that are neither read nor joined. */
  readonly unread: readonly TableFacts[];
  /** The names of those among them that hold people, too. */
  readonly morePeople: readonly string[];
}
