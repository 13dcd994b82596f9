import type { CustomValue } from '../../model/custom-field.ts';

/** The known normalisations of a text, each with its description. */
const changes: readonly (readonly [what: string, change: (text: string) => string])[] = [
  ['without space around it', (text) => text.trim()],
  ['white space as one space', (text) => text.trim().replace(/\s+/g, ' ')],
  ['in lower case', (text) => text.toLowerCase()],
  ['in upper case', (text) => text.toUpperCase()],
  [
    'with capital initials',
    (text) => text.toLowerCase().replace(/(^|[\s-])\p{L}/gu, (at) => at.toUpperCase()),
  ],
  ['without accents', (text) => text.normalize('NFD').replace(/\p{M}+/gu, '')],
  ['in another Unicode form', (text) => text.normalize('NFKC')],
  ['digits only', (text) => text.replace(/\D/g, '')],
  ['without the scheme', (text) => text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')],
  ['with a scheme', (text) => (/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`)],
  ['without the slash at its end', (text) => text.replace(/\/$/, '')],
  ['as a whole number', (text) => rounded(text, 0)],
  ['with two decimals', (text) => rounded(text, 2)],
  ['without HTML', (text) => text.replace(/<[^>]*>/g, '')],
];

function rounded(text: string, digits: number): string {
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? text : number.toFixed(digits);
}

/** The minimum number of contacts with the same change for it to count as a normalisation. */
const many = 3;

/** The maximum number of different changes that are counted; a field of random values would have one for each value. */
const mostCounted = 20_000;

/** Returns the descriptions of all normalisations that turn `want` into `found`; empty if either value is empty. */
export function listPossibleNormalisations(want: CustomValue, found: CustomValue): readonly string[] {
  const [from, to] = [textOf(want), textOf(found)];
  if (from === '' || to === '') return [];
  const known = changes.filter(([, change]) => change(from) === to).map(([what]) => what);
  const cut = to.length < from.length && from.startsWith(to) ? [`cut off after ${to.length} characters`] : [];
  return [...known, ...cut, `${replaced(from)}${JSON.stringify(to)}`];
}

/**
 * Counts the possible normalisations of each field. A normalisation is confirmed if it explains the changed values of
 * at least three contacts, and fewer contacts than these kept a value that it would have changed.
 */
export class NormalisationCounter {
  readonly #made = new Counter();
  readonly #kept = new Counter();

  /** Counts the possible normalisations of a value that came back changed. */
  changed(field: string, possible: readonly string[]): void {
    for (const what of possible) this.#made.add(field, what);
  }

  /** Counts a value that came back unchanged, for each normalisation that would have changed it. */
  kept(field: string, want: CustomValue): void {
    const text = textOf(want);
    if (text === '') return;
    this.#kept.add(field, replaced(text));
    for (const [what, change] of changes) if (change(text) !== text) this.#kept.add(field, what);
  }

  /**
   * Returns, of the possible normalisations, the confirmed one that changed the most contacts; undefined if none is
   * confirmed.
   */
  ofMany(field: string, want: CustomValue, possible: readonly string[]): string | undefined {
    const asItWas = replaced(textOf(want));
    let best: string | undefined;
    let most = many - 1;
    for (const what of possible) {
      const made = this.#made.of(field, what);
      const kept = this.#kept.of(field, what.startsWith(asItWas) ? asItWas : what);
      if (made > most && kept < made) [best, most] = [what, made];
    }
    return best;
  }
}

class Counter {
  readonly #counts = new Map<string, number>();

  add(field: string, what: string): void {
    const key = JSON.stringify([field, what]);
    const before = this.#counts.get(key);
    if (before !== undefined || this.#counts.size < mostCounted) this.#counts.set(key, (before ?? 0) + 1);
  }

  of(field: string, what: string): number {
    return this.#counts.get(JSON.stringify([field, what])) ?? 0;
  }
}

/** Returns the text with which the description of a replaced value begins, such as `"Mr" as `. */
function replaced(text: string): string {
  return `${JSON.stringify(text)} as `;
}

function textOf(value: CustomValue): string {
  return value === null ? '' : String(value);
}
