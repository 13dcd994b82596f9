import type { InputPreviewResult } from '../../wire/inputs.ts';

type Found = NonNullable<InputPreviewResult['tables']>;
type Join = Found['joins'][string];

/** A table in the diagram of a dump, with its parent table. */
export interface TableBox {
  /** Its name in a mapping: `contacts`, `account`, `account.owner`. */
  readonly name: string;
  readonly table: string;
  /** The parent table; null for the main table. */
  readonly from: TableBox | null;
  readonly many: boolean;
  /** The columns that join it: `account_id = id`. */
  readonly on: string;
  /** The link table between the two; undefined for none. */
  readonly via: string | undefined;
  readonly x: number;
  readonly y: number;
}

export const tableBoxWidth = 190;
export const tableBoxHeight = 46;
const [indent, step] = [48, 62];

/** Lays out the tables as a tree, each below its parent and one step to the right. */
export function layoutTableBoxes({ main, joins }: Found): readonly TableBox[] {
  const root = { name: main, table: main, from: null, many: false, on: '', via: undefined, x: 0, y: 0 };
  const boxes: TableBox[] = [root];
  const add = (all: Found['joins'], from: TableBox): void => {
    for (const [name, join] of Object.entries(all)) {
      const box: TableBox = {
        ...{ name: from === root ? name : `${from.name}.${name}`, table: join.table, from },
        ...{ many: join.many ?? false, on: columnsOf(join), via: join.via?.table },
        ...{ x: from.x + indent, y: boxes.length * step },
      };
      boxes.push(box);
      add(join.join ?? {}, box);
    }
  };
  add(joins, root);
  return boxes;
}

function columnsOf({ on, via }: Join): string {
  const pairs = { ...on, ...via?.on };
  return Object.entries(pairs)
    .map(([one, other]) => `${one} = ${other}`)
    .join(', ');
}
