import { setImmediate } from 'node:timers/promises';
import { messageColumns } from '../../model/message-record.ts';
import type { LiveInput } from '../../model/ports.ts';
import type { InputFacts, ListFacts, Source } from '../../model/row.ts';
import { removeDatabase } from '../../storage/sqlite.ts';
import { ColumnUnion } from '../column-union.ts';
import { fingerprintOf, refused } from '../plain-file.ts';
import type { SourceInput } from '../source-format.ts';
import { contactItem, messageList } from './contact-row.ts';
import { copied, copyWorkspace } from './copy.ts';
import { type CopiedRow, CopyFile, copyPath } from './copy-file.ts';
import type { WorkspaceOptions } from './options.ts';

const batch = { rows: 256, characters: 4 * 1024 * 1024 };

/** A live workspace as a source: it is copied once, and the copy is read; nothing is asked before `inspect` or `read`. */
export function workspaceSource(options: WorkspaceOptions, { live, spoolDir }: SourceInput): Source {
  if (live === undefined) throw new Error('The format "workspace" is opened with a live workspace.');
  const path = copyPath(spoolDir, live.purpose);
  return {
    async inspect(signal) {
      signal.throwIfAborted();
      const copy = copyOf(live, path);
      try {
        const { whole, begunAt } = copy.state;
        if (!whole) await copyWorkspace(live, copy, options, signal);
        if (copy.count() > 0)
          return await factsOf(copy, options, live.name, whole ? begunAt : undefined, signal);
      } finally {
        copy.close();
      }
      removeDatabase(path);
      const next = 'Check that it is the right workspace.';
      throw refused(live.name, 'has no contact that the token can read', next);
    },
    async *read(from, signal) {
      const copy = CopyFile.open(path);
      if (copy === undefined)
        throw refused(live.name, 'was copied, but the copy is gone', 'Start over with --fresh.');
      try {
        for await (const rows of rowsOf(copy, from, signal))
          yield rows.map((row) => contactItem(row, options.maxRowBytes));
      } finally {
        copy.close();
      }
    },
  };
}

/** The copy that the run goes on with, or a new one. */
function copyOf(live: LiveInput, path: string): CopyFile {
  const earlier = CopyFile.open(path);
  if (earlier !== undefined) {
    if (live.keeps(earlier.state)) return earlier;
    earlier.close();
  }
  return CopyFile.create(path, live.clock.now());
}

async function* rowsOf(
  copy: CopyFile,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<readonly CopiedRow[]> {
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

async function factsOf(
  copy: CopyFile,
  options: WorkspaceOptions,
  name: string,
  copiedBefore: number | undefined,
  signal: AbortSignal,
): Promise<InputFacts> {
  const { messages, maxRowBytes } = options;
  const hash = fingerprintOf(['workspace', messages, maxRowBytes]);
  const columns = new ColumnUnion();
  let items = 0;
  let bytes = 0;
  for await (const rows of rowsOf(copy, 0, signal)) {
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
  const when = copiedBefore === undefined ? '' : ` at ${minuteOf(copiedBefore)}: that copy is read`;
  const fingerprint = hash.digest('hex');
  const lists = listsOf(options);
  return { name, bytes, fingerprint, items, columns: columns.names(), lists, notes: [`${note}${when}.`] };
}

/** The lists that contacts have. */
export function listsOf({ messages }: Pick<WorkspaceOptions, 'messages'>): readonly ListFacts[] {
  return messages ? [{ name: messageList, columns: messageColumns }] : [];
}

function minuteOf(timestamp: number): string {
  return `${new Date(timestamp).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
