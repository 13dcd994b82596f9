import { signal } from '@preact/signals';
import type { MappingEditRequest, RowCondition, YamlQuestion } from '../../wire/mapping.ts';
import type { RequestProblem } from '../../wire/problem.ts';
import type { YamlFile } from '../../wire/project.ts';
import { callRoute, callUntilAnswered, toRequestProblem } from '../call.ts';
import type { TextWithHistory, UndoOrder } from './undo-order.ts';

/**
 * The open questions of a pipeline, which are answered beside those of its mapping, and its conditions on rows. Each
 * change is written at once. The file is read when it is needed and not watched, because a browser opens few connections.
 */
export class PipelineQuestions implements TextWithHistory {
  readonly questions = signal<readonly YamlQuestion[]>([]);
  readonly conditions = signal<readonly RowCondition[]>([]);
  readonly problem = signal<RequestProblem | undefined>(undefined);
  /** The number of writes, each of which may change how the input is read. */
  readonly writes = signal(0);
  readonly #path: string;
  readonly #undo: UndoOrder;
  readonly #texts = signal<{ readonly all: readonly string[]; readonly at: number }>({ all: [], at: 0 });
  #file: YamlFile | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(path: string, undo: UndoOrder) {
    this.#path = path;
    this.#undo = undo;
  }

  /** Reads the file again; a change from elsewhere ends the history. */
  read(): Promise<void> {
    return this.#inTurn(() => this.#read());
  }

  /** Changes the file: an answer to a question, or a condition. */
  change(edit: MappingEditRequest): Promise<void> {
    return this.#inTurn(async () => {
      const before = await this.#read();
      const { text } = await callUntilAnswered('editMapping', { text: before.text, edit });
      await this.#write(text);
      const { all, at } = this.#texts.value;
      this.#texts.value = { all: [...all.slice(0, at + 1), text], at: at + 1 };
      this.#undo.record(this);
    });
  }

  canStep(by: -1 | 1): boolean {
    const { all, at } = this.#texts.value;
    return all[at + by] !== undefined;
  }

  step(by: -1 | 1): void {
    void this.#inTurn(async () => {
      const { all, at } = this.#texts.value;
      const text = all[at + by];
      if (text === undefined) return;
      await this.#write(text);
      this.#texts.value = { all, at: at + by };
    });
  }

  /** Runs work once the work before it is done, and keeps the problem with which it failed. */
  #inTurn(work: () => Promise<unknown>): Promise<void> {
    this.#work = this.#work.then(async () => {
      this.problem.value = undefined;
      try {
        await work();
      } catch (error) {
        // The file may have been changed elsewhere meanwhile.
        await this.#read().catch(() => undefined);
        this.problem.value = toRequestProblem(error);
      }
    });
    return this.#work;
  }

  async #read(): Promise<YamlFile> {
    const file = await callUntilAnswered('readYaml', { path: this.#path });
    if (file.etag !== this.#file?.etag) {
      this.#undo.forget(this);
      this.#texts.value = { all: [file.text], at: 0 };
    }
    await this.#show(file);
    return file;
  }

  async #write(text: string): Promise<void> {
    const etag = this.#file?.etag ?? '';
    await this.#show(await callRoute('writeYaml', { path: this.#path, text, etag }));
    this.writes.value += 1;
  }

  async #show(file: YamlFile): Promise<void> {
    this.#file = file;
    const { questions, conditions } = await callUntilAnswered('mappingShown', { text: file.text });
    this.questions.value = questions;
    this.conditions.value = conditions;
  }
}
