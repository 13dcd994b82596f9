import { hiddenCell } from '../../wire/inputs.ts';
import { t, translateEngineText } from '../language.ts';

/** A text from an input, with its writing direction isolated and invisible characters shown; says so where it is hidden. */
export function ExternalText({ text }: { readonly text: string }) {
  if (text === hiddenCell) return <span class="note">{t('hidden')}</span>;
  return <bdi>{showInvisibleCharacters(text)}</bdi>;
}

/** Notes about an input; nothing without any. */
export function NoteList({ notes }: { readonly notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul>
      {notes.map((note) => (
        <li key={note}>
          <ExternalText text={translateEngineText(note)} />
        </li>
      ))}
    </ul>
  );
}

/** Replaces control characters by their symbols, and other invisible characters but joiners by their code points. */
export function showInvisibleCharacters(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '␡';
    if (code === 0x200c || code === 0x200d) return character;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
