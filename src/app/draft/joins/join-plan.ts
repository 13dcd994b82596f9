import type { TableFacts } from '../../../sources/tables.ts';
import type { RoleName } from '../columns/header-names.ts';
import type { Plain } from '../yaml/entry.ts';
import type { StatedTable } from './stated-tables.ts';

/** A join of a dump as its YAML has it. */
export interface Join {
  readonly table: string;
  readonly on?: { readonly [column: string]: string };
  readonly via?: {
    readonly table: string;
    readonly on: { readonly [column: string]: string };
    readonly to: { readonly [column: string]: string };
    readonly where?: { readonly [column: string]: Plain };
  };
  readonly where?: { readonly [column: string]: Plain };
  readonly pick?: { readonly [column: string]: Plain };
  readonly many?: boolean;
  readonly join?: { readonly [name: string]: Join };
}

/** Comments of which each row of a joined list makes one. */
export interface ListedComments {
  readonly each: string;
  readonly key: string;
  readonly text: string;
  readonly order?: string;
  readonly html?: readonly string[];
}

/** A list of a joined table that is kept in a custom field. */
export interface FurtherValues {
  readonly name: string;
  readonly from: string;
}

/** What a dump's tables turned out to be to each other. */
export interface JoinPlan {
  readonly table: string;
  readonly where: { readonly [column: string]: Plain };
  readonly joins: { readonly [name: string]: Join };
  /** Columns of joined tables that the mapping reads, with what they are. */
  readonly roles: ReadonlyMap<string, RoleName | undefined>;
  /** Lists that hold tags: `labels.name`. */
  readonly tags: readonly string[];
  readonly comments: readonly ListedComments[];
  /** All e-mails or phones of people who have several, each with the name of a field for them. */
  readonly further: readonly FurtherValues[];
  /** Tables whose files have to be stated. */
  readonly files: { readonly [table: string]: StatedTable };
  /** All tables with rows in them, and how many. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  /** Tables that are neither read nor joined. */
  readonly unread: readonly TableFacts[];
}
