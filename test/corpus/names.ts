import type { Locale } from './locales.ts';
import type { Random } from './random.ts';

export interface Name {
  readonly first: string;
  readonly last: string;
}

/** A text without accents, as people type who have no such keys. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L')
    .replaceAll('ø', 'o');
}

/** Two names that nobody takes for one: not even their first letters are the same. */
export function areUnlike(one: string, other: string): boolean {
  return plain(one).slice(0, 1).toLowerCase() !== plain(other).slice(0, 1).toLowerCase();
}

/** Gives names of a locale, each pair once. */
export function nameBook(random: Random, { first, last }: Pick<Locale, 'first' | 'last'>) {
  const taken = new Set<string>();
  return (fits: (name: Name) => boolean = () => true): Name => {
    for (let tries = 0; tries < 5_000; tries += 1) {
      const name = { first: random.pick(first), last: random.pick(last) };
      const id = `${name.first} ${name.last}`;
      if (taken.has(id) || !fits(name)) continue;
      taken.add(id);
      return name;
    }
    throw new Error('No name is left.');
  };
}

/** The name as another clerk typed it. */
export function retyped({ first, last }: Name, random: Random, canBeSwapped: boolean): Name {
  const how = random.pick(['same', 'plain', 'upper', 'lower', 'initial', 'swapped', 'noLast'] as const);
  switch (how) {
    case 'plain':
      return { first: plain(first), last: plain(last) };
    case 'upper':
      return { first: first.toUpperCase(), last: last.toUpperCase() };
    case 'lower':
      return { first: first.toLowerCase(), last: last.toLowerCase() };
    case 'initial':
      if (!/^\p{Script=Latin}/u.test(first)) return { first, last };
      return { first: `${first.slice(0, 1)}.`, last };
    case 'swapped':
      return canBeSwapped ? { first: last, last: first } : { first, last };
    case 'noLast':
      return { first, last: '' };
    default:
      return { first, last };
  }
}
