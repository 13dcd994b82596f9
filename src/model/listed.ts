const longestName = 100;

/** Names in a sentence, the first ones and how many more: an input may have 200,000 sheets, or one with a name of a megabyte. */
export function listed(names: Iterable<string>, most = 20): string {
  const shown: string[] = [];
  let all = 0;
  for (const name of names) {
    if (all < most) shown.push(shortened(name, longestName));
    all += 1;
  }
  const rest = all - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** A text that is not longer than this, its end left out where it is. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** Sentences about an input, as many as anybody reads. */
export function fewNotes(notes: readonly string[], most = 50): readonly string[] {
  const shown = notes.slice(0, most).map((note) => shortened(note, 2_000));
  const rest = notes.length - shown.length;
  return rest > 0 ? [...shown, `${rest} more notes like these.`] : shown;
}
