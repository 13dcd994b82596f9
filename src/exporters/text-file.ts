import { open } from 'node:fs/promises';
import type { ExportRecord } from '../model/export-record.ts';
import type { RecordFile } from './file-per-kind.ts';

const enough = 256 * 1024;

/** Creates a text file (0600) of records that begins with `head`; it is written in large chunks and made durable when it is complete. */
export async function createTextFile(
  path: string,
  head: string,
  textOf: (records: readonly ExportRecord[]) => string,
): Promise<RecordFile> {
  const handle = await open(path, 'wx', 0o600);
  let waiting = head;
  const flush = async () => {
    const text = waiting;
    waiting = '';
    await handle.writeFile(text);
  };
  return {
    async write(records) {
      waiting += textOf(records);
      if (waiting.length >= enough) await flush();
    },
    async finish() {
      await flush();
      await handle.sync();
      await handle.close();
    },
    abandon: () => handle.close(),
  };
}
