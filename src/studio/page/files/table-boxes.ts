import type { InputPreview } from '../../wire/inputs.ts';

type Found = NonNullable<InputPreview['tables']>;
type Join = Found['joins'][string];

/** A table in the picture of a dump, and what it hangs on. */
export interface Box {
  /** What a mapping calls it: `contacts`, `account`, `account.owner`. */
  readonly name: string;
  readonly table: string;
  /** Null for the table of the people. */
  readonly from: Box | null;
  readonly many: boolean;
  /** Which columns are equal: `account_id = id`. */
  readonly on: string;
  /** The table between the two. */
  readonly via: string | undefined;
  readonly x: number;
  readonly y: number;
}

export const width = 190;
export const height = 46;
const [indent, step] = [48, 62];

/** The tables as a tree: each below the one that it hangs on, one step to the right. */
export function boxesOf({ main, joins }: Found): readonly Box[] {
  const root = { name: main, table: main, from: null, many: false, on: '', via: undefined, x: 0, y: 0 };
  const boxes: Box[] = [root];
  const add = (all: Found['joins'], from: Box): void => {
    for (const [name, join] of Object.entries(all)) {
      const box: Box = {
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
