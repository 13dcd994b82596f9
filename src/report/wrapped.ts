const usualColumns = 100;

/** Prose in lines that fit, with the first line's indent and the indent of all others. */
export function wrapped(
  text: string,
  {
    columns = usualColumns,
    first = '',
    indent = '',
  }: { columns?: number | undefined; first?: string; indent?: string },
): string {
  const lines: string[] = [];
  let line = first;
  let begun = false;
  for (const word of text.split(' ')) {
    if (begun && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = indent + word;
    } else line += begun ? ` ${word}` : word;
    begun = true;
  }
  return [...lines, line].join('\n');
}
