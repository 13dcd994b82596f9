const mostCells = 500;
const longestCell = 200;

/** So much of the words has to come in other cells, too, and so much at another place of the cell. */
const nearlyAll = 0.8;
const some = 0.3;

/** Whether blanks part the tags of a column: its words come again in other combinations, where a tag of several words stays as it is. */
export class TagWords {
  readonly #cells = new Set<string>();

  add(cell: string): void {
    if (cell.length <= longestCell && this.#cells.size < mostCells) this.#cells.add(cell);
  }

  get areParted(): boolean {
    const cells = [...this.#cells].map((cell) => cell.split(/\s+/u));
    const combined = cells.filter((words) => words.length > 1);
    const words = new Set(combined.flat());
    if (combined.length < 2) return false;
    const first = new Set(combined.map(([word]) => word));
    const later = new Set(combined.flatMap(([, ...others]) => others));
    const again = count(words, (word) => cells.filter((each) => each.includes(word)).length > 1);
    const moved = count(words, (word) => first.has(word) && later.has(word));
    return again >= words.size * nearlyAll && moved >= words.size * some;
  }
}

function count(words: ReadonlySet<string>, test: (word: string) => boolean): number {
  return [...words].filter(test).length;
}
