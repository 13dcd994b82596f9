/** Prose in lines that fit, with what the first line begins with and what all others do. */
export function wrapped(
  text: string,
  {
    columns = Number.POSITIVE_INFINITY,
    first = '',
    indent = '',
  }: { readonly columns?: number | undefined; readonly first?: string; readonly indent?: string },
): string {
  const [word = '', ...words] = text.split(' ');
  const lines: string[] = [];
  let line = first + word;
  for (const next of words) {
    if (line.length + 1 + next.length > columns) {
      lines.push(line);
      line = indent + next;
    } else line += ` ${next}`;
  }
  return [...lines, line].join('\n');
}
