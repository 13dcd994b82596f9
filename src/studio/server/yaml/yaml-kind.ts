/** What a YAML text is by the keys that begin a line; undefined where it is none of ours. */
export function yamlKind(text: string): 'import' | 'export' | 'mapping' | undefined {
  const has = (key: string) => new RegExp(`^(?:\\{\\s*)?["']?${key}["']?\\s*:`, 'm').test(text);
  if (has('pipeline')) return has('export') ? 'export' : 'import';
  return has('mapping') ? 'mapping' : undefined;
}
