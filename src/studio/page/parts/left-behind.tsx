import {
  formatLeftBehindDetails,
  formatLeftBehindFix,
  formatLeftBehindTitle,
  type LeftBehindGroup,
  leftBehindTitle,
} from '../../wire/left-behind.ts';

/** The list of what an import leaves behind, in the words of the commands. */
export function LeftBehindList({ items }: { readonly items: readonly LeftBehindGroup[] }) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{leftBehindTitle}</h3>
      <ul class="plain" aria-label={leftBehindTitle}>
        {items.map((item) => (
          <li key={item.kind}>
            <details>
              <summary>{formatLeftBehindTitle(item)}</summary>
              {formatLeftBehindDetails(item).map((text) => (
                <p key={text} class="sentence">
                  {text}
                </p>
              ))}
              <p class="note">{formatLeftBehindFix(item)}</p>
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}
