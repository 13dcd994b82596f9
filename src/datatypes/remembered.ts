import { longestShort } from './data-type.ts';

/** The same pure function, remembering up to `most` results for short texts; when they are full, all are forgotten. */
export function remembered<V>(most: number, compute: (text: string) => V): (text: string) => V {
  const results = new Map<string, V>();
  return (text) => {
    if (text.length > longestShort) return compute(text);
    const known = results.get(text);
    if (known !== undefined) return known;
    const value = compute(text);
    if (results.size >= most) results.clear();
    results.set(text, value);
    return value;
  };
}
