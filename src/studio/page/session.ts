import { signal } from '@preact/signals';

const key = 'longshore-session';

/** The token of the session, the same in every tab of this browser; null before it, and after a 401. */
export const sessionToken = signal<string | null>(localStorage.getItem(key));

// Another tab has started a session, or has received a 401.
addEventListener('storage', ({ key: changed }) => {
  if (changed === key || changed === null) sessionToken.value = localStorage.getItem(key);
});

/** Saves the token for every tab of this browser; no page of another address or port can read this storage. */
export function saveSession(token: string): void {
  localStorage.setItem(key, token);
  sessionToken.value = token;
}

/** Forgets a token that the studio does not accept; one that another tab has received meanwhile is kept. */
export function endSession(refused: string | null): void {
  if (localStorage.getItem(key) === refused) localStorage.removeItem(key);
  sessionToken.value = localStorage.getItem(key);
}
