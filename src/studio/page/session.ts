import { signal } from '@preact/signals';

const key = 'longshore-session';

/** The token of this page's session; null where it has none, or none that is good any more. */
export const session = signal<string | null>(sessionStorage.getItem(key));

/** Keeps the token over a reload of this tab. */
export function beginSession(token: string): void {
  sessionStorage.setItem(key, token);
  session.value = token;
}

export function endSession(): void {
  sessionStorage.removeItem(key);
  session.value = null;
}
