/** A text of somebody else, as text: its direction ends with it, and what cannot be seen is shown. */
export function ShownText({ text }: { readonly text: string }) {
  return <bdi>{visible(text)}</bdi>;
}

/** Control characters as their pictures, and marks that turn or hide text by their numbers; joiners are part of words. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '␡';
    if (code === 0x200c || code === 0x200d) return character;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
