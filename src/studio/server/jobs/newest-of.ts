/** What was told and not taken yet. */
interface Told<T> {
  newest: { readonly event: T } | null;
  end: { readonly error?: unknown } | null;
  wake(): void;
}

/**
 * What is told between two takings is the last of it. `begin` is given what to tell with, and says by its promise when
 * all is told; where that fails, so does the taking.
 */
export async function* newestOf<T>(begin: (tell: (event: T) => void) => Promise<void>): AsyncGenerator<T> {
  const told: Told<T> = { newest: null, end: null, wake: () => {} };
  const end = (how: NonNullable<Told<T>['end']>): void => {
    told.end = how;
    told.wake();
  };
  begin((event) => {
    told.newest = { event };
    told.wake();
  }).then(
    () => end({}),
    (error: unknown) => end({ error }),
  );
  for (;;) {
    const { newest, end: ended } = told;
    told.newest = null;
    if (newest !== null) yield newest.event;
    else if (ended === null)
      await new Promise<void>((resolve) => {
        told.wake = resolve;
      });
    else if ('error' in ended) throw ended.error;
    else return;
  }
}
