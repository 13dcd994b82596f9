/** What the steps of a run are, in plain words and in the order in which they are taken. */
const words = new Map([
  ['ensureField', 'custom fields created'],
  ['ensureTag', 'workspace tags ensured'],
  ['create', 'contacts created'],
  ['update', 'contacts updated'],
  ['merge', 'contacts merged'],
  ['attachTags', 'tags attached to contacts'],
  ['lifecycle', 'lifecycle stages set'],
  ['comment', 'comments added'],
  ['assignee', 'assignees set'],
  ['conversation', 'conversations opened or closed'],
]);

const order = [...words.keys()];

/** Steps by name, in their order, each with its words; a step that has none goes by its name and comes last. */
export function namedSteps<T>(
  steps: Readonly<Record<string, T>>,
): { readonly name: string; readonly label: string; readonly step: T }[] {
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(steps)
    .map(([name, step]) => ({ name, label: words.get(name) ?? name, step }))
    .sort((a, b) => place(a.name) - place(b.name));
}
