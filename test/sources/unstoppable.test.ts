import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readAnswerListDecisions } from '../../src/app/import/approvals.ts';
import { loadImportPipeline } from '../../src/pipeline/index.ts';
import { sourceFormats } from '../../src/sources/registry.ts';
import { file, folder, never, open, refusal } from './reading.ts';

const formats = sourceFormats.filter(({ live }) => live !== true).map(({ name }) => name);

function pipe(): string {
  const path = join(folder(), 'pipe');
  execFileSync('sh', ['-c', `mkfifo "${path}"`]);
  return path;
}

describe.skipIf(process.platform === 'win32').each(formats)('an input of %s', (format) => {
  test('that is a pipe without a writer reports what it waits for, and ends when it is aborted', async () => {
    const path = pipe();
    const stop = new AbortController();
    const interrupted = new Error('interrupted');
    const found = sourceFormats.find(({ name }) => name === format);
    const source = found?.open(
      {},
      {
        path,
        spoolDir: join(folder(), 'spool'),
        waiting: (text) => {
          expect(text).toBe(`Waiting for a program to write to ${path} …`);
          stop.abort(interrupted);
        },
      },
    );
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const inspected = expect(source?.inspect(stop.signal)).rejects.toBe(interrupted);
    while (!stop.signal.aborted) {
      await setImmediate();
      vi.advanceTimersByTime(1_000);
    }
    await inspected;
    // Nobody holds the pipe any more: a writer that does not wait finds no reader.
    const writer = openFile(path, constants.O_WRONLY | constants.O_NONBLOCK);
    await expect(writer).rejects.toMatchObject({ code: 'ENXIO' });
  });

  test.each(['/dev/zero', '/dev/null'])('that is %s is refused', async (path) => {
    const error = await refusal(open(path, {}, format).inspect(never));
    expect(error.message).toBe(`${path} is a device, which has no end.`);
  });
});

describe.skipIf(process.platform === 'win32')('a YAML file, or a file of approvals,', () => {
  test.each([
    ['a device', () => '/dev/zero'],
    ['a pipe', pipe],
  ])('that is %s is refused', async (kind, path) => {
    const at = path();
    expect((await refusal(loadImportPipeline(at))).message).toContain(`is ${kind}`);
    expect((await refusal(readAnswerListDecisions(at))).message).toContain(`is ${kind}`);
    const pipeline = `pipeline: p\nimport:\n  source: { format: csv, path: x.csv }\n  mapping: ${at}\n`;
    expect((await refusal(loadImportPipeline(file(pipeline, 'p.yaml')))).message).toContain(`is ${kind}`);
  });
});
