import { signal } from '@preact/signals';

const key = 'longshore-session';

/** The token of this page's session; null before the session has started, and after a 401. */
export const sessionToken = signal<string | null>(sessionStorage.getItem(key));

/** Saves the token, so that it survives a reload of this tab. */
export function saveSession(token: string): void {
  sessionStorage.setItem(key, token);
  sessionToken.value = token;
}

export function endSession(): void {
  sessionStorage.removeItem(key);
  sessionToken.value = null;
}
