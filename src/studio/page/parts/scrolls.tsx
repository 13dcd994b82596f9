import type { ComponentChildren } from 'preact';

interface ScrollsProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A region that scrolls, also by the keyboard. */
export function ScrollArea({ label, children }: ScrollsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section of ours is a card
    // biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus scrolls by the keyboard
    <div class="scrolls" role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
