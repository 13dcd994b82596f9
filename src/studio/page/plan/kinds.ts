/** Short words for the kinds of changes; one that has none goes by its name. */
const words: ReadonlyMap<string, string> = new Map([
  ['create', 'new contact'],
  ['attachTags', 'tags'],
  ['comments', 'comment'],
]);

export function kindWord(kind: string | null): string {
  return kind === null ? 'no change' : (words.get(kind) ?? kind);
}
