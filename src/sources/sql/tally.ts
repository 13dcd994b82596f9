import type { BinaryText } from './binary.ts';
import { ItemMaker } from './items.ts';
import type { KnownTable } from './known-tables.ts';
import type { DumpRecord } from './record.ts';
import type { SqlWarnings } from './warnings.ts';

export interface TallySettings {
  readonly warnings: SqlWarnings;
  readonly binaryText: BinaryText;
  /** Whether it is open if a backslash is an escape. */
  readonly undecided: boolean;
  /** Whether anybody wants to know how the values of this table are written. */
  readonly interesting: (fullName: string) => boolean;
}

/** Counts the records of every table, and looks at their values as a reading will. */
export class Tally {
  /** The record that the dump breaks off in. */
  cutOff: DumpRecord | undefined;
  readonly #items = new Map<string, number>();
  readonly #widths = new Map<string, number>();
  readonly #maker: ItemMaker;
  readonly #settings: TallySettings;

  constructor(settings: TallySettings) {
    const { warnings, binaryText } = settings;
    this.#settings = settings;
    this.#maker = new ItemMaker({ columns: null, warnings, binaryText, maxRowBytes: 0, nulls: [] });
  }

  count(record: DumpRecord): void {
    const { block, line, text, problem } = record;
    const { name } = block.table;
    this.#items.set(name, (this.#items.get(name) ?? 0) + 1);
    if (problem === 'cutOff') this.cutOff = record;
    const { warnings, undecided, interesting } = this.#settings;
    if (problem !== null || !interesting(name)) return;
    warnings.line = line;
    const cells = this.#maker.cells(record);
    if (cells === null) return;
    if (undecided && text.includes('\\')) warnings.note('backslash');
    if (block.columns === null && !this.#widths.has(name)) this.#widths.set(name, cells.length);
    else this.#maker.showBytes(cells, block);
  }

  items({ name }: KnownTable): number {
    return this.#items.get(name) ?? 0;
  }

  /** How many values the first record of a table has whose columns nothing names; undefined where something does. */
  width({ name }: Pick<KnownTable, 'name'>): number | undefined {
    return this.#widths.get(name);
  }
}
