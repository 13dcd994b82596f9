import { signal } from '@preact/signals';

/** Where the page is: `#/run/20260301-091500` is the view `run` and what follows it. */
export interface Place {
  readonly view: string;
  readonly rest: readonly string[];
}

/** The present place; it follows the address, so that a reload and the back button stay right. */
export const place = signal<Place>(placeOf(location.hash));

addEventListener('hashchange', () => {
  place.value = placeOf(location.hash);
});

function placeOf(hash: string): Place {
  const [view = '', ...rest] = hash.replace(/^#\//, '').split('/').map(decoded);
  return { view, rest };
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    // Typed by hand: it is shown as it is.
    return word;
  }
}

/** The address of a place, for links. */
export function hrefOf(view: string, ...rest: readonly string[]): string {
  return `#/${[view, ...rest].map(encodeURIComponent).join('/')}`;
}

/** Goes to a place; `replacing` leaves no step back. */
export function goTo(href: string, { replacing = false } = {}): void {
  if (replacing) location.replace(href);
  else location.hash = href;
}
