import { setImmediate } from 'node:timers/promises';
import { messageColumns } from '../../model/message-record.ts';
import type { LiveInput } from '../../model/ports.ts';
import type { InputFacts, ListFacts, Source, SourceItem } from '../../model/row.ts';
import { removeDatabase } from '../../storage/sqlite.ts';
import { ColumnUnion } from '../column-union.ts';
import { fingerprintOf, refused } from '../plain-file.ts';
import type { SourceInput } from '../source-format.ts';
import { contactItem, messageList } from './contact-row.ts';
import { copied, copyWorkspace } from './copy.ts';
import { type CopiedRow, CopyFile, copyPath } from './copy-file.ts';
import type { WorkspaceOptions } from './options.ts';

const batch = { rows: 256, signs: 4 * 1024 * 1024 };

/** A live workspace as a source: it is copied once, and the copy is read; nothing is asked before `inspect` or `read`. */
export function workspaceSource(options: WorkspaceOptions, input: SourceInput): Source {
  const { live, spoolDir } = input;
  if (live === undefined) throw new Error('The format "workspace" is opened with a live workspace.');
  return new WorkspaceSource(options, live, copyPath(spoolDir, live.purpose));
}

class WorkspaceSource implements Source {
  readonly #options: WorkspaceOptions;
  readonly #live: LiveInput;
  readonly #path: string;

  constructor(options: WorkspaceOptions, live: LiveInput, path: string) {
    this.#options = options;
    this.#live = live;
    this.#path = path;
  }

  async inspect(signal: AbortSignal): Promise<InputFacts> {
    signal.throwIfAborted();
    const copy = this.#copy();
    try {
      const { whole, begunAt } = copy.state;
      if (!whole) await copyWorkspace(this.#live, copy, this.#options, signal);
      if (copy.count() > 0) return await this.#facts(copy, whole ? begunAt : undefined, signal);
    } finally {
      copy.close();
    }
    removeDatabase(this.#path);
    const { name } = this.#live;
    throw refused(name, 'has no contact that the token can read', 'Check that it is the right workspace.');
  }

  async *read(from: number, signal: AbortSignal): AsyncGenerator<readonly SourceItem[], void, undefined> {
    const copy = CopyFile.open(this.#path);
    if (copy === undefined) {
      throw refused(this.#live.name, 'was copied, but the copy is gone', 'Start over with --fresh.');
    }
    try {
      for await (const rows of this.#rows(copy, from, signal)) {
        yield rows.map((row) => contactItem(row, this.#options.maxRowBytes));
      }
    } finally {
      copy.close();
    }
  }

  async *#rows(copy: CopyFile, from: number, signal: AbortSignal): AsyncGenerator<readonly CopiedRow[]> {
    for (let done = from; ; ) {
      signal.throwIfAborted();
      const rows = copy.after(done, batch);
      if (rows.length === 0) return;
      yield rows;
      done += rows.length;
      // Reading the copy waits for nothing: a signal would never come through.
      await setImmediate();
    }
  }

  /** The copy that the run goes on with, or a new one. */
  #copy(): CopyFile {
    const earlier = CopyFile.open(this.#path);
    if (earlier !== undefined) {
      if (this.#live.keeps(earlier.state)) return earlier;
      earlier.close();
    }
    return CopyFile.create(this.#path, this.#live.clock.now());
  }

  async #facts(copy: CopyFile, copiedBefore: number | undefined, signal: AbortSignal): Promise<InputFacts> {
    const { messages, maxRowBytes } = this.#options;
    const { name } = this.#live;
    const hash = fingerprintOf(['workspace', messages, maxRowBytes]);
    const columns = new ColumnUnion();
    let items = 0;
    let bytes = 0;
    for await (const rows of this.#rows(copy, 0, signal)) {
      for (const row of rows) {
        const text = `${row.json}\n${row.messages ?? ''}\n`;
        hash.update(text);
        bytes += Buffer.byteLength(text);
        const item = contactItem(row, maxRowBytes);
        if (item.kind === 'row') columns.add(item);
      }
      items += rows.length;
    }
    const note = `Copied ${copied(items, name)}${messages ? ' with their messages' : ''}`;
    return {
      name,
      bytes,
      fingerprint: hash.digest('hex'),
      items,
      columns: columns.names(),
      lists: listsOf(this.#options),
      notes: [
        copiedBefore === undefined ? `${note}.` : `${note} at ${minuteOf(copiedBefore)}: that copy is read.`,
      ],
    };
  }
}

/** The lists that contacts have. */
export function listsOf({ messages }: Pick<WorkspaceOptions, 'messages'>): readonly ListFacts[] {
  return messages ? [{ name: messageList, columns: messageColumns }] : [];
}

function minuteOf(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
