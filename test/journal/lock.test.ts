import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type JournalDatabase, takeLock } from '../../src/journal/index.ts';
import { toCommand } from '../../src/model/command.ts';
import { lockElsewhere } from './another-process.ts';
import { handClock, openFile, workDir } from './work-dir.ts';

const name = 'the import into https://workspace.test/v1';

describe('the lock', () => {
  it('refuses a second holder and says who holds it, since when, and how fresh that is', () => {
    const dir = workDir();
    const clock = handClock(Date.UTC(2024, 4, 1, 12));
    const lock = takeLock(openFile(dir), dir, name, clock);
    clock.set(Date.UTC(2024, 4, 1, 13));
    lock.beat();
    expect(() => takeLock(openFile(dir), dir, name, clock)).toThrow(
      expect.objectContaining({
        reason: 'locked',
        message: expect.stringMatching(
          new RegExp(
            `^the import into .* is locked by process ${process.pid} on \\S+ since 2024-05-01T12:00:00.000Z \\(last seen 2024-05-01T13:00:00.000Z\\)\\.$`,
          ),
        ),
        next: expect.arrayContaining([toCommand('status')]),
      }),
    );
    lock.release();
    takeLock(openFile(dir), dir, name, clock).release();
  });

  it('of one workspace does not keep another waiting', () => {
    const dir = workDir();
    const file = openFile(dir);
    const one = takeLock(file, dir, name, handClock());
    const other = takeLock(file, dir, 'the import into https://other.test/v1', handClock());
    one.release();
    other.release();
  });

  it('goes with its process, however that ended', async () => {
    const dir = workDir();
    const file = openFile(dir);
    const holder = lockElsewhere(dir, name);
    onTestFinished(() => {
      holder.kill('SIGKILL');
    });
    await once(holder.stdout, 'data');
    expect(() => takeLock(file, dir, name, handClock())).toThrow(`process ${holder.pid}`);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    takeLock(file, dir, name, handClock()).release();
  });

  it('is free after a release that could not be noted', () => {
    const dir = workDir();
    const file: JournalDatabase = openFile(dir);
    const lock = takeLock(file, dir, name, handClock());
    file.close();
    expect(() => lock.release()).not.toThrow();
    takeLock(openFile(dir), dir, name, handClock()).release();
  });

  it('is not kept by somebody who could not note it', () => {
    const dir = workDir();
    const closed = openFile(dir);
    closed.close();
    expect(() => takeLock(closed, dir, name, handClock())).toThrow('not open');
    takeLock(openFile(dir), dir, name, handClock()).release();
  });
});
