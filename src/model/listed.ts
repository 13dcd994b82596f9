const longestName = 100;

/**
 * Returns names joined for a sentence: the first `most`, each cut to 100 characters, and the number of the others. An
 * input may have 200,000 sheets, or one with a name of a megabyte.
 */
export function formatNameList(names: Iterable<string>, most = 20): string {
  const shown: string[] = [];
  let all = 0;
  for (const name of names) {
    if (all < most) shown.push(truncateText(name, longestName));
    all += 1;
  }
  const rest = all - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Returns the text cut to at most this length, with `…` in place of the end. */
export function truncateText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/**
 * Returns the first `most` notes about an input, each cut to 2,000 characters, and one with the number of the others.
 */
export function truncateNotes(notes: readonly string[], most = 50): readonly string[] {
  const shown = notes.slice(0, most).map((note) => truncateText(note, 2_000));
  const rest = notes.length - shown.length;
  return rest > 0 ? [...shown, `${rest} more notes like these.`] : shown;
}
