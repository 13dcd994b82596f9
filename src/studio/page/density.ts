import { effect, signal } from '@preact/signals';

const key = 'longshore-density';
const compact = 'compact';

/** True where the lines of tables and lists are close together; every tab of this browser keeps it. */
export const isCompact = signal(localStorage.getItem(key) === compact);

effect(() => {
  document.documentElement.toggleAttribute('data-compact', isCompact.value);
});

// Another tab has changed it.
addEventListener('storage', (event) => {
  if (event.key === key) isCompact.value = event.newValue === compact;
});

/** Sets how close the lines are, in every tab. */
export function setCompact(is: boolean): void {
  isCompact.value = is;
  if (is) localStorage.setItem(key, compact);
  else localStorage.removeItem(key);
}
