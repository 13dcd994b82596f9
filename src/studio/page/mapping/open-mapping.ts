import { batch, computed, effect, signal } from '@preact/signals';
import type { MappingEditRequest, MappingSummary } from '../../wire/mapping.ts';
import type { RequestProblem } from '../../wire/problem.ts';
import type { YamlFile, YamlFinding } from '../../wire/project.ts';
import { callRoute, callUntilAnswered, isUnanswered, RequestError, toRequestProblem } from '../call.ts';
import { listenToStream } from '../events.ts';
import { project } from '../project.ts';
import type { TextWithHistory, UndoOrder } from './undo-order.ts';

/** The time after the last change until the outline is requested (ms); after twice it, counts and rows. */
const pause = 250;
/** The time after the last change until the text is saved (ms). */
const pauseBeforeSaving = 700;

/** The id of this tab, by which the server tells its streams from those of other tabs. */
const tab = crypto.randomUUID();

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
export class MappingEditorState implements TextWithHistory {
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
  /** The file, if it was changed outside of this page while the text here had unsaved changes; otherwise undefined. */
  readonly theirs = signal<YamlFile | undefined>(undefined);
  /** True if another tab has the mapping open, too. */
  readonly isOpenElsewhere = signal(false);
  readonly isSaved = computed(() => this.saved.value?.text === this.text.value);
  readonly #written = new Set<string>();
  readonly #undo: UndoOrder;
  readonly #stop = new AbortController();
  /** Aborts the requests for the outline of an earlier text. */
  #outdated = new AbortController();
  #timers: ReturnType<typeof setTimeout>[] = [];
  #edits: Promise<void> = Promise.resolve();
  #isSaving = false;
  /** The text that is being written. */
  #sent: string | undefined;
  readonly #folder = project.value.folder;
  /** True while the user types in the editor without a pause; what is typed meanwhile is one step of the history. */
  #isTyping = false;

  constructor(path: string, undo: UndoOrder) {
    this.path = path;
    this.#undo = undo;
    effect(() => this.#keepUnsaved());
    const deaf = listenToStream(
      'watchYaml',
      { path, tab },
      {
        event: (file) => {
          this.isOpenElsewhere.value = file.isOpenElsewhere;
          this.#heard(file);
        },
        problem: (why) => (this.problem.value = why),
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

  canStep(by: -1 | 1): boolean {
    const { texts, at } = this.history.value;
    return texts[at + by] !== undefined;
  }

  /** Undoes the latest change of this text (-1), or redoes the change that was undone last (1). */
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
          const edit = { text: before, edit: change };
          const { text } = await callUntilAnswered('editMapping', edit, this.#stop.signal);
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
    if (!replacesPresent) this.#undo.record(this);
  }

  /** Requests everything that depends on the text, without a pause. */
  async #settle(): Promise<void> {
    this.#isTyping = false;
    this.settled.value = this.text.value;
    this.#follow(null);
    await this.#look();
  }

  #heard(file: YamlFile): void {
    if (this.saved.value === undefined) {
      this.problem.value = undefined;
      this.#open(file);
    } else if (file.etag !== this.saved.value.etag && this.#written.has(file.etag)) void this.#readAgain();
    else this.#compare(file);
  }

  /** Opens the file with the unsaved text of this tab; a file that has changed since becomes `theirs`. */
  #open(file: YamlFile): void {
    const [etag = '', ...lines] = (sessionStorage.getItem(this.#unsavedKey) ?? '').split('\n');
    const text = lines.join('\n');
    if (etag === '' || text === file.text) {
      this.#adopt(file);
      return;
    }
    batch(() => {
      this.saved.value = { ...file, etag };
      const texts = etag === file.etag ? [file.text, text] : [text];
      this.history.value = { texts, at: texts.length - 1, isCut: false };
      if (texts.length > 1) this.#undo.record(this);
      if (etag !== file.etag) this.theirs.value = file;
    });
    this.#follow(0);
  }

  get #unsavedKey(): string {
    return `longshore-unsaved ${this.#folder} ${this.path}`;
  }

  /** Keeps the unsaved text in the storage of this tab, with the etag of the file; a reload restores it. */
  #keepUnsaved(): void {
    const [saved, text] = [this.saved.value, this.text.value];
    if (saved === undefined) return;
    if (saved.text !== text)
      try {
        sessionStorage.setItem(this.#unsavedKey, `${saved.etag}\n${text}`);
        return;
      } catch (error) {
        // The text is too long for the storage; an older one there must not be restored instead.
        if (!(error instanceof DOMException)) throw error;
      }
    sessionStorage.removeItem(this.#unsavedKey);
  }

  #compare(file: YamlFile): void {
    const { saved, text } = this;
    if (file.etag === saved.value?.etag || file.text === this.#sent) return;
    if (file.text === text.value)
      batch(() => {
        saved.value = file;
        this.theirs.value = undefined;
      });
    else if (this.isSaved.value) this.#adopt(file);
    else this.theirs.value = file;
  }

  /** Reads the file again, because it is not known which change of it is the latest one. */
  async #readAgain(): Promise<void> {
    try {
      this.#compare(await callUntilAnswered('readYaml', { path: this.path }, this.#stop.signal));
    } catch (error) {
      if (!this.#stop.signal.aborted) this.problem.value = toRequestProblem(error);
    }
  }

  #adopt(file: YamlFile): void {
    const { texts, isCut } = this.history.value;
    this.#isTyping = false;
    batch(() => {
      this.#undo.forget(this);
      this.saved.value = file;
      this.theirs.value = undefined;
      this.history.value = { texts: [file.text], at: 0, isCut: isCut || texts.length > 1 };
    });
    this.#follow(0);
  }

  /** Schedules the saving, and the updates that depend on the text after `after` ms; none for null. */
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
    this.#outdated.abort();
    this.#outdated = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, this.#outdated.signal]);
    try {
      const [shown, { findings }] = await Promise.all([
        callUntilAnswered('mappingShown', { text }, signal),
        callUntilAnswered('checkYaml', { path: this.path, text }, signal),
      ]);
      if (this.text.value !== text) return;
      batch(() => {
        this.isYaml.value = shown.outline !== null;
        if (shown.outline !== null) this.shown.value = shown;
        this.findings.value = findings;
      });
    } catch (error) {
      if (!signal.aborted) this.problem.value = toRequestProblem(error);
    }
  }

  /** Saves the text if it is valid YAML and the file was not changed elsewhere; otherwise writes nothing. */
  async #save(): Promise<void> {
    const [before, now] = [this.saved.value, this.text.value];
    const isBlocked = this.#isSaving || this.theirs.value !== undefined || project.value.readOnly;
    if (before === undefined || before.text === now || isBlocked) return;
    this.#isSaving = true;
    let isOver = false;
    try {
      isOver = await this.#write(now, before.etag);
    } finally {
      this.#isSaving = false;
    }
    const isDue = !isOver || this.text.value !== now;
    if (isDue && !this.isSaved.value && !this.#stop.signal.aborted) this.#follow(pause);
  }

  /** Writes the text once; returns true if it is not to be written again before the next change. */
  async #write(text: string, etag: string): Promise<boolean> {
    try {
      const { outline } = await callRoute('mappingShown', { text });
      // After a restart, the studio at this address may be that of another project.
      if (outline === null || project.value.folder !== this.#folder) return true;
      this.#sent = text;
      const written = await callRoute('writeYaml', { path: this.path, text, etag });
      this.#written.add(written.etag);
      this.saved.value = written;
      return false;
    } catch (error) {
      this.#sent = undefined;
      if (!isUnanswered(error)) this.problem.value = toRequestProblem(error);
      if (!(error instanceof RequestError)) return true;
      // The file says whether the text was written, or what was written instead.
      await this.#readAgain();
      if (this.theirs.value !== undefined) this.problem.value = undefined;
      return !isUnanswered(error);
    } finally {
      this.#sent = undefined;
    }
  }
}
