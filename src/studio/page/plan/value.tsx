/** A value before or after a change; nothing for null, an unknown value. */
export function DiffValue({ value, tone }: { readonly value: string | null; readonly tone: 'old' | 'new' }) {
  if (value === null) return null;
  return value === '' ? <span class="empty">empty</span> : <span class={tone}>{value}</span>;
}
