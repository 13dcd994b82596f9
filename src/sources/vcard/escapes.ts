/** Undoes the escapes of a value: `\n` is a line end, a backslash before another character only says that it is meant. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  // Before a letter it is one of its own: paths of Windows were never escaped in version 2.1.
  return text.replace(/\\([nN]|[^\p{L}\p{N}])/gsu, (_, character: string) =>
    /n/i.test(character) ? '\n' : character,
  );
}

/** The parts between separators that are not escaped, with their escapes. */
export function parts(text: string, separator: ';' | ','): readonly string[] {
  if (!text.includes('\\')) return text.split(separator);
  const found: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === separator) {
      found.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, text.slice(from)];
}

/** The bytes that quoted-printable stands for. */
export function fromQuotedPrintable(text: string): string {
  return text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
