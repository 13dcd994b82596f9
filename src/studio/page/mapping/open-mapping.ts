import { batch, computed, signal } from '@preact/signals';
import type { MappingChange, MappingShown } from '../../wire/mapping.ts';
import type { Problem } from '../../wire/problem.ts';
import type { YamlFile, YamlFinding } from '../../wire/project.ts';
import { call, Refused, shownProblem } from '../call.ts';
import { listen } from '../events.ts';
import { project } from '../project.ts';

/** ms without a change until what the text says is asked for again; twice that until what a process finds out is. */
const pause = 250;
/** ms without a change until the text is saved. */
const pauseBeforeSaving = 700;

/** A mapping that is open in the page: its text, what the text says, and what of it is saved. */
export class OpenMapping {
  readonly path: string;
  /** What the editor shows; everything else follows it. */
  readonly text = signal('');
  readonly saved = signal<YamlFile | undefined>(undefined);
  /** What the text says; for a text that is not YAML, the last one that was. */
  readonly shown = signal<MappingShown | undefined>(undefined);
  readonly isYaml = signal(true);
  readonly findings = signal<readonly YamlFinding[]>([]);
  /** The text as counts and the current row are asked for. */
  readonly settled = signal('');
  readonly problem = signal<Problem | undefined>(undefined);
  /** What somebody else has written meanwhile. */
  readonly theirs = signal<YamlFile | undefined>(undefined);
  readonly isSaved = computed(() => this.saved.value?.text === this.text.value);
  readonly #written = new Set<string>();
  readonly #stop = new AbortController();
  #timers: ReturnType<typeof setTimeout>[] = [];
  #edits: Promise<void> = Promise.resolve();
  #saving: string | undefined;

  constructor(path: string) {
    this.path = path;
    const deaf = listen(
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

  /** Takes a text as the editor has it. */
  type(text: string): void {
    if (text === this.text.value) return;
    this.text.value = text;
    this.#follow(pause);
  }

  /** Makes a change of the text, after those that were asked for before. */
  change(change: MappingChange): Promise<void> {
    this.#edits = this.#edits.then(async () => {
      this.problem.value = undefined;
      try {
        for (;;) {
          const before = this.text.value;
          const { text } = await call('editMapping', { text: before, edit: change }, this.#stop.signal);
          // Somebody typed meanwhile: the change is made of that text.
          if (this.text.value !== before) continue;
          this.text.value = text;
          this.settled.value = text;
          this.#follow(null);
          await this.#look();
          return;
        }
      } catch (error) {
        if (!this.#stop.signal.aborted) this.problem.value = shownProblem(error);
      }
    });
    return this.#edits;
  }

  /** Takes what somebody else has written in place of what is here. */
  takeTheirs(): void {
    const file = this.theirs.value;
    if (file !== undefined) this.#adopt(file);
  }

  /** Saves what is here over what somebody else has written. */
  keepOurs(): void {
    const file = this.theirs.value;
    if (file === undefined) return;
    batch(() => {
      this.saved.value = file;
      this.theirs.value = undefined;
    });
    void this.#save();
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

  /** What was seen may be what the page itself had written before its last change. */
  async #readAgain(): Promise<void> {
    const file = await call('readYaml', { path: this.path }, this.#stop.signal).catch(() => undefined);
    if (file === undefined || file.etag === this.saved.value?.etag) return;
    if (this.isSaved.value) this.#adopt(file);
    else if (file.text !== this.text.value && file.text !== this.#saving) this.theirs.value = file;
  }

  #adopt(file: YamlFile): void {
    batch(() => {
      this.saved.value = file;
      this.theirs.value = undefined;
      this.text.value = file.text;
    });
    this.#follow(0);
  }

  /** Everything that depends on the text, each after its pause; null for a change that was followed already. */
  #follow(after: number | null): void {
    for (const timer of this.#timers) clearTimeout(timer);
    const settle = () => {
      this.settled.value = this.text.value;
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
        call('mappingShown', { text }, this.#stop.signal),
        call('checkYaml', { path: this.path, text }, this.#stop.signal),
      ]);
      if (this.text.value !== text) return;
      batch(() => {
        this.isYaml.value = shown.outline !== null;
        if (shown.outline !== null) this.shown.value = shown;
        this.findings.value = findings;
      });
    } catch (error) {
      if (!this.#stop.signal.aborted) this.problem.value = shownProblem(error);
    }
  }

  /** Saves a text that is YAML: what is half typed stays in the page. */
  async #save(): Promise<void> {
    const { saved, text, theirs } = this;
    const [before, now] = [saved.value, text.value];
    const isBusy = this.#saving !== undefined || theirs.value !== undefined;
    if (project.value.readOnly || before === undefined || before.text === now || isBusy) return;
    this.#saving = now;
    try {
      const { outline } = await call('mappingShown', { text: now });
      if (outline === null) return;
      const written = await call('writeYaml', { path: this.path, text: now, etag: before.etag });
      this.#written.add(written.etag);
      saved.value = written;
    } catch (error) {
      this.problem.value = shownProblem(error);
      if (error instanceof Refused) {
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
