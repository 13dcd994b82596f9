/** A value before or after; nothing where nobody knows it. */
export function Value({ value, tone }: { readonly value: string | null; readonly tone: 'old' | 'new' }) {
  if (value === null) return null;
  return value === '' ? <span class="empty">empty</span> : <span class={tone}>{value}</span>;
}
