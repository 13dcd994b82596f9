/** An array of records in a JSON document: the keys that lead to it, and how many records of it were seen. */
export interface SeenArray {
  readonly path: string;
  readonly records: number;
}

/** What the beginning of a JSON text is: lines of records, or a document with arrays of records in it. */
export interface JsonShape {
  readonly lines: boolean;
  readonly arrays: readonly SeenArray[];
}

interface Level {
  readonly array: boolean;
  key: string;
  records: number;
}

/** Looks through the beginning of a JSON text, which may break off anywhere. */
export function jsonShape(text: string): JsonShape {
  const walk = new Walk(text);
  return walk.shape();
}

class Walk {
  readonly #text: string;
  readonly #levels: Level[] = [];
  readonly #arrays = new Map<string, number>();
  #documents = 0;
  #multiline = false;

  constructor(text: string) {
    this.#text = text;
  }

  shape(): JsonShape {
    const text = this.#text;
    for (let at = 0; at < text.length; at += 1) {
      const sign = text[at];
      if (sign === '"') at = this.#string(at);
      else if (sign === '{' || sign === '[') this.#open(sign === '[');
      else if (sign === '}' || sign === ']') this.#levels.pop();
      else if (sign === '\n' && this.#levels.length > 0) this.#multiline = true;
    }
    const arrays = [...this.#arrays].map(([path, records]) => ({ path, records }));
    const single = this.#documents === 1 && !this.#multiline && arrays.every(({ path }) => path !== '');
    return { lines: this.#documents > 1 || (single && arrays.length === 0), arrays };
  }

  #open(array: boolean): void {
    const above = this.#levels.at(-1);
    if (above === undefined) this.#documents += 1;
    else if (above.array && !array) this.#record(above);
    this.#levels.push({ array, key: '', records: 0 });
  }

  /** A record of an array counts for the path to the array; arrays on the way are walked through. */
  #record(level: Level): void {
    level.records += 1;
    const path = this.#levels
      .slice(0, -1)
      .flatMap(({ key }) => (key === '' ? [] : [key]))
      .join('.');
    this.#arrays.set(path, (this.#arrays.get(path) ?? 0) + 1);
  }

  /** Passes over a string; one that a colon follows is the key of its object. */
  #string(from: number): number {
    let end = from + 1;
    while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === '\\' ? 2 : 1;
    const level = this.#levels.at(-1);
    if (level !== undefined && !level.array && /^\s*:/.test(this.#text.slice(end + 1, end + 100))) {
      level.key = this.#text.slice(from + 1, end);
    }
    return end;
  }
}
