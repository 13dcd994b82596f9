import { signal } from '@preact/signals';

export interface TextWithHistory {
  /** Returns true if the text has a change to undo (-1) or to redo (1). */
  canStep(by: -1 | 1): boolean;
  step(by: -1 | 1): void;
}

/** The order in which several texts were changed, so that one undo leads through all of them. */
export class UndoOrder {
  /** The text of each change, the latest last. */
  readonly #done = signal<readonly TextWithHistory[]>([]);
  /** The text of each change that was undone, the latest undo last. */
  readonly #undone = signal<readonly TextWithHistory[]>([]);

  record(text: TextWithHistory): void {
    this.#done.value = [...this.#done.value, text];
    this.#undone.value = [];
  }

  /** Drops the changes of a text whose history has ended. */
  forget(text: TextWithHistory): void {
    this.#done.value = this.#done.value.filter((each) => each !== text);
    this.#undone.value = this.#undone.value.filter((each) => each !== text);
  }

  can(by: -1 | 1): boolean {
    return this.#next(by) !== undefined;
  }

  /** Undoes the latest change of all texts (-1), or redoes the change that was undone last (1). */
  step(by: -1 | 1): void {
    const text = this.#next(by);
    if (text === undefined) return;
    const [from, to] = by < 0 ? [this.#done, this.#undone] : [this.#undone, this.#done];
    from.value = from.value.toSpliced(from.value.lastIndexOf(text), 1);
    to.value = [...to.value, text];
    text.step(by);
  }

  /** The oldest changes of a long history cannot be undone any more. */
  #next(by: -1 | 1): TextWithHistory | undefined {
    return (by < 0 ? this.#done : this.#undone).value.findLast((text) => text.canStep(by));
  }
}
