import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { startExportProgress } from '../../src/report/export-progress.ts';
import { HandClock } from './hand-clock.ts';

class Screen extends Writable {
  text = '';
  readonly columns: number;

  constructor(columns: number) {
    super();
    this.columns = columns;
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

test('the line that is written over stays on one line of the terminal', () => {
  const stream = new Screen(40);
  const progress = startExportProgress({ stream, terminal: true, clock: new HandClock() });
  progress.listen({ kind: 'fetched', contacts: 1_234_567, read: 1_200_000, messages: 12_345_678 });
  const line = stream.text.replace('\r', '').replace('\u001b[K', '');
  expect(line).toMatch(/^1,234,567 contacts, 12,345,678/);
  expect(line.length).toBeLessThan(40);
  progress.stop();
});
