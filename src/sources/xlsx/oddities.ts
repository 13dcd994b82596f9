type Oddity = 'error' | 'uncounted' | 'long';

const kinds: readonly Oddity[] = ['error', 'uncounted', 'long'];

/** Counts what is odd in the cells of a sheet, with the place of the first of each kind, to be said aloud. */
export class Oddities {
  readonly #found = new Map<Oddity, { count: number; first: string }>();

  add(kind: Oddity, place: string): void {
    const found = this.#found.get(kind);
    if (found === undefined) this.#found.set(kind, { count: 1, first: place });
    else found.count += 1;
  }

  notes(): readonly string[] {
    return kinds.flatMap((kind) => {
      const found = this.#found.get(kind);
      return found === undefined ? [] : [note(kind, found.count, found.first)];
    });
  }
}

function note(kind: Oddity, count: number, first: string): string {
  const one = count === 1;
  const where = one ? first : `the first in ${first}`;
  switch (kind) {
    case 'error':
      return `${count} ${one ? 'cell has an error' : 'cells have errors'} such as #N/A (${where}); such a cell counts as empty.`;
    case 'uncounted':
      return `${count} ${one ? 'formula has' : 'formulas have'} no stored value (${where}); such a cell counts as empty. Open the workbook in a spreadsheet program and save it, so that formulas are calculated.`;
    default:
      return `${count} whole ${one ? 'number has' : 'numbers have'} more than 15 digits (${where}). Spreadsheet programs keep only the first 15 of a number, so an id may have been cut before it was exported.`;
  }
}
