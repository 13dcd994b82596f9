import { stringify } from 'yaml';

/**
 * A YAML text with holes. Each hole is quoted as YAML, whatever is in it: a text or number stays within its line, and a list or
 * map becomes a block below the key in front of it.
 */
export function yaml(parts: TemplateStringsArray, ...holes: readonly unknown[]): string {
  return parts.reduce((before, part, index) => `${filled(before, holes[index - 1])}${part}`);
}

/** A text with the hole behind it filled. */
function filled(before: string, hole: unknown): string {
  if (typeof hole !== 'object' || hole === null || Object.keys(hole).length === 0)
    return `${before}${JSON.stringify(hole)}`;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const indent = ' '.repeat(line.length - line.trimStart().length + 2);
  const block = stringify(hole, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
  const indented = block.split('\n').map((each) => (each === '' ? '' : `${indent}${each}`));
  return [before.trimEnd(), ...indented].join('\n');
}
