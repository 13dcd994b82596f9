const patienceMs = 2_000;

/** Hears what is waited for; each sentence once. */
export type Waiting = (text: string) => void;

/** What work gives; where it takes longer than two seconds, says what is waited for. */
export async function whileWaiting<T>(
  waiting: Waiting | undefined,
  text: string,
  work: Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => waiting?.(text), patienceMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
