import { batch, computed, signal } from '@preact/signals';
import type { MappingEditRequest, MappingSummary } from '../../wire/mapping.ts';
import type { RequestProblem } from '../../wire/problem.ts';
import type { YamlFile, YamlFinding } from '../../wire/project.ts';
import { callRoute, RequestError, toRequestProblem } from '../call.ts';
import { listenToStream } from '../events.ts';
import { project } from '../project.ts';

/**
 * The time after the last change until the outline is requested (ms); counts and rows are requested after twice that
 * time.
 */
const pause = 250;
/** The time after the last change until the text is saved (ms). */
const pauseBeforeSaving = 700;

/** The number of texts that are kept for undo and redo. */
const mostTexts = 200;

/** The texts that undo and redo lead through. */
interface TextHistory {
  readonly texts: readonly string[];
  /** The index of the present text. */
  readonly at: number;
  /** True if a change of the file outside of this page has ended an earlier history. */
  readonly isCut: boolean;
}

/** The state of an open mapping: its text, its history, its outline, its findings and the saved file. */
export class MappingEditorState {
  readonly path: string;
  /** The text in the editor, which may not be saved yet. */
  readonly text = computed(() => this.history.value.texts[this.history.value.at] ?? '');
  readonly history = signal<TextHistory>({ texts: [''], at: 0, isCut: false });
  readonly saved = signal<YamlFile | undefined>(undefined);
  /** The outline and questions of the last text that was valid YAML. */
  readonly shown = signal<MappingSummary | undefined>(undefined);
  readonly isYaml = signal(true);
  readonly findings = signal<readonly YamlFinding[]>([]);
  /** The text for which counts and the current row are requested, after a pause in typing. */
  readonly settled = signal('');
  readonly problem = signal<RequestProblem | undefined>(undefined);
  /** The file as it was changed outside of this page; undefined if it was not. */
  readonly theirs = signal<YamlFile | undefined>(undefined);
  readonly isSaved = computed(() => this.saved.value?.text === this.text.value);
  readonly #written = new Set<string>();
  readonly #stop = new AbortController();
  #timers: ReturnType<typeof setTimeout>[] = [];
  #edits: Promise<void> = Promise.resolve();
  #saving: string | undefined;
  /** True while the user types in the editor, until the first pause: this is one step of the history. */
  #isTyping = false;

  constructor(path: string) {
    this.path = path;
    const deaf = listenToStream(
      'watchYaml',
      { path },
      {
        event: (file) => this.#heard(file),
        problem: (why) => {
          this.problem.value = why;
        },
      },
    );
    this.#stop.signal.addEventListener('abort', deaf);
  }

  close(): void {
    this.#stop.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    if (!this.isSaved.value && this.saved.value !== undefined) void this.#save();
  }

  /** Sets the text after a change in the editor. */
  type(text: string): void {
    if (text === this.text.value) return;
    this.#record(text, this.#isTyping);
    this.#isTyping = true;
    this.#follow(pause);
  }

  /** Undoes the latest change (-1), or makes the change again that was undone last (1). */
  step(by: -1 | 1): void {
    const { texts, at } = this.history.value;
    if (texts[at + by] === undefined) return;
    this.problem.value = undefined;
    this.history.value = { texts, at: at + by, isCut: false };
    void this.#settle();
  }

  /** Applies a change to the text, once earlier changes are applied. */
  change(change: MappingEditRequest): Promise<void> {
    this.#edits = this.#edits.then(async () => {
      this.problem.value = undefined;
      try {
        for (;;) {
          const before = this.text.value;
          const { text } = await callRoute('editMapping', { text: before, edit: change }, this.#stop.signal);
          // If the user has typed meanwhile, the change is applied to the newer text.
          if (this.text.value !== before) continue;
          if (text !== before) this.#record(text);
          await this.#settle();
          return;
        }
      } catch (error) {
        if (!this.#stop.signal.aborted) this.problem.value = toRequestProblem(error);
      }
    });
    return this.#edits;
  }

  /** Replaces the text with the file that was changed elsewhere. */
  takeTheirs(): void {
    const file = this.theirs.value;
    if (file !== undefined) this.#adopt(file);
  }

  /** Overwrites the file that was changed elsewhere with the text. */
  keepOurs(): void {
    const file = this.theirs.value;
    if (file === undefined) return;
    batch(() => {
      this.saved.value = file;
      this.theirs.value = undefined;
    });
    void this.#save();
  }

  #record(text: string, replacesPresent = false): void {
    const { texts, at } = this.history.value;
    const before = texts.slice(Math.max(0, at + 2 - mostTexts), replacesPresent ? at : at + 1);
    this.history.value = { texts: [...before, text], at: before.length, isCut: false };
  }

  /** Requests everything that depends on the text at once. */
  async #settle(): Promise<void> {
    this.#isTyping = false;
    this.settled.value = this.text.value;
    this.#follow(null);
    await this.#look();
  }

  #heard(file: YamlFile): void {
    const { saved, text } = this;
    if (this.problem.value?.message !== undefined && saved.value === undefined)
      this.problem.value = undefined;
    if (file.etag === saved.value?.etag) return;
    if (saved.value === undefined) this.#adopt(file);
    else if (file.text === text.value) saved.value = file;
    else if (file.text === this.#saving) return;
    else if (this.#written.has(file.etag)) void this.#readAgain();
    else if (this.isSaved.value) this.#adopt(file);
    else this.theirs.value = file;
  }

  /** Reads the file again, because the reported change may be an older one that this page has made itself. */
  async #readAgain(): Promise<void> {
    const file = await callRoute('readYaml', { path: this.path }, this.#stop.signal).catch(() => undefined);
    if (file === undefined || file.etag === this.saved.value?.etag) return;
    if (this.isSaved.value) this.#adopt(file);
    else if (file.text !== this.text.value && file.text !== this.#saving) this.theirs.value = file;
  }

  #adopt(file: YamlFile): void {
    const { texts, isCut } = this.history.value;
    this.#isTyping = false;
    batch(() => {
      this.saved.value = file;
      this.theirs.value = undefined;
      this.history.value = { texts: [file.text], at: 0, isCut: isCut || texts.length > 1 };
    });
    this.#follow(0);
  }

  /**
   * Schedules the saving of the text, and the updates that depend on it after `after` ms; null schedules only the
   * saving.
   */
  #follow(after: number | null): void {
    for (const timer of this.#timers) clearTimeout(timer);
    const settle = () => {
      this.settled.value = this.text.value;
      this.#isTyping = false;
    };
    this.#timers = [
      ...(after === null ? [] : [setTimeout(() => void this.#look(), after), setTimeout(settle, 2 * after)]),
      setTimeout(() => void this.#save(), pauseBeforeSaving),
    ];
  }

  async #look(): Promise<void> {
    const text = this.text.value;
    try {
      const [shown, { findings }] = await Promise.all([
        callRoute('mappingShown', { text }, this.#stop.signal),
        callRoute('checkYaml', { path: this.path, text }, this.#stop.signal),
      ]);
      if (this.text.value !== text) return;
      batch(() => {
        this.isYaml.value = shown.outline !== null;
        if (shown.outline !== null) this.shown.value = shown;
        this.findings.value = findings;
      });
    } catch (error) {
      if (!this.#stop.signal.aborted) this.problem.value = toRequestProblem(error);
    }
  }

  /** Saves the text if it is valid YAML and the file was not changed elsewhere; otherwise writes nothing. */
  async #save(): Promise<void> {
    const { saved, text, theirs } = this;
    const [before, now] = [saved.value, text.value];
    const isBusy = this.#saving !== undefined || theirs.value !== undefined;
    if (project.value.readOnly || before === undefined || before.text === now || isBusy) return;
    this.#saving = now;
    try {
      const { outline } = await callRoute('mappingShown', { text: now });
      if (outline === null) return;
      const written = await callRoute('writeYaml', { path: this.path, text: now, etag: before.etag });
      this.#written.add(written.etag);
      saved.value = written;
    } catch (error) {
      this.problem.value = toRequestProblem(error);
      if (error instanceof RequestError) {
        this.#saving = undefined;
        await this.#readAgain();
        if (theirs.value !== undefined) this.problem.value = undefined;
      }
      return;
    } finally {
      this.#saving = undefined;
    }
    if (text.value !== now && !this.#stop.signal.aborted) this.#follow(pause);
  }
}
