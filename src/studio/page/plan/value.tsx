/** A value before or after; nothing for an unknown one. */
export function DiffValue({ value, tone }: { readonly value: string | null; readonly tone: 'old' | 'new' }) {
  if (value === null) return null;
  return value === '' ? <span class="empty">empty</span> : <span class={tone}>{value}</span>;
}
