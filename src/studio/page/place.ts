import { signal } from '@preact/signals';

/** The location of the page: `#/run/20260301-091500` is the view `run` with the segments after it. */
export interface PageLocation {
  readonly view: string;
  readonly rest: readonly string[];
}

/** The current location; it follows the address, so that reload and the back button work. */
export const pageLocation = signal<PageLocation>(placeOf(location.hash));

addEventListener('hashchange', () => {
  pageLocation.value = placeOf(location.hash);
});

function placeOf(hash: string): PageLocation {
  const [view = '', ...rest] = hash.replace(/^#\//, '').split('/').map(decoded);
  return { view, rest };
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    // A segment that is not valid percent-encoding is not decoded.
    return word;
  }
}

/** Returns the address of a view, for links. */
export function buildHref(view: string, ...rest: readonly string[]): string {
  return `#/${[view, ...rest].map(encodeURIComponent).join('/')}`;
}

/** Navigates to an address; `replacing` adds no entry to the history. */
export function goTo(href: string, { replacing = false } = {}): void {
  if (replacing) location.replace(href);
  else location.hash = href;
}
