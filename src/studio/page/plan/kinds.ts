/** Labels of the kinds of changes; others are shown by name. */
const words: ReadonlyMap<string, string> = new Map([
  ['create', 'new contact'],
  ['attachTags', 'tags'],
  ['comments', 'comment'],
]);

export function formatChangeKind(kind: string | null): string {
  return kind === null ? 'no change' : (words.get(kind) ?? kind);
}
