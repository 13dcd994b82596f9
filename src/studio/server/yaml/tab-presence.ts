/** The tabs that have a file open, in memory only. */
export class TabPresence {
  /** An entry for each open stream: a tab that connects again has two for a moment. */
  readonly #streams = new Set<{ readonly file: string; readonly tab: string }>();

  /** Counts a tab as having a file open until `gone` is aborted. */
  enter(file: string, tab: string, gone: AbortSignal): void {
    const stream = { file, tab };
    this.#streams.add(stream);
    gone.addEventListener('abort', () => this.#streams.delete(stream), { once: true });
  }

  /** Returns true if a tab other than `tab` has the file open. */
  hasOther(file: string, tab: string): boolean {
    return [...this.#streams].some((each) => each.file === file && each.tab !== tab);
  }
}
