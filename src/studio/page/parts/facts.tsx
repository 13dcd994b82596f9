import type { ComponentChildren } from 'preact';

/** A list of terms and values; null and undefined values are left out with their terms. */
export function FactList({ facts }: { readonly facts: Readonly<Record<string, ComponentChildren>> }) {
  const shown = Object.entries(facts).filter(([, text]) => text !== null && text !== undefined);
  if (shown.length === 0) return null;
  return (
    <dl>
      {shown.map(([term, text]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
