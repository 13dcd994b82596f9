import { afterEach, describe, expect, it, vi } from 'vitest';
import { GroupCommit, type GroupCommitOptions } from '../../src/journal/group-commit.ts';
import type { JournalDatabase } from '../../src/journal/index.ts';
import { hint, toCommand } from '../../src/model/command.ts';
import type { Clock } from '../../src/model/ports.ts';
import { systemClock } from '../../src/workspace/index.ts';
import { openFile, workDir } from './work-dir.ts';

/** A group commit over a table of numbers; counts its transactions. */
function numbers(clock: Pick<Clock, 'now'> = systemClock, options: GroupCommitOptions = {}) {
  const dir = workDir();
  const file = openFile(dir);
  file.exec('CREATE TABLE number (n INTEGER PRIMARY KEY)');
  const commits = countCommits(file);
  const commit = new GroupCommit(file, clock, options);
  const insert = file.prepare('INSERT INTO number (n) VALUES (?)');
  // A connection of its own sees only what is committed.
  const other = openFile(dir);
  const seen = () => other.prepare<[], number>('SELECT n FROM number ORDER BY n').pluck().all();
  return { file, commit, commits, seen, write: (n: number) => () => void insert.run(n) };
}

function countCommits(file: JournalDatabase): { readonly count: number } {
  const counted = { count: 0 };
  const transaction = file.transaction.bind(file);
  Object.defineProperty(file, 'transaction', {
    value: (run: (...args: unknown[]) => unknown) => {
      const inner = transaction(run);
      return {
        immediate: (...args: unknown[]) => {
          counted.count += 1;
          return inner.immediate(...args);
        },
      };
    },
  });
  return counted;
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

afterEach(() => {
  vi.useRealTimers();
});

describe('a group commit', () => {
  it('makes many intents durable in one transaction', async () => {
    const { commit, commits, seen, write } = numbers();
    await Promise.all(upTo(50).map((n) => commit.durable(write(n))));
    expect(seen()).toEqual(upTo(50));
    expect(commits.count).toBe(1);
  });

  it('waits for nobody where most of those who may come are there', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { commit, commits, write } = numbers(systemClock, { maxConcurrentIntents: () => 8 });
    await Promise.all(upTo(7).map((n) => commit.durable(write(n))));
    expect(commits.count).toBe(1);
  });

  it('waits longer for company where a commit takes long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let now = 0;
    const slow = { now: () => (now += 8) };
    const { commit, seen, write } = numbers(slow);
    for (const n of upTo(20)) {
      void commit.durable(write(n));
      commit.flush();
    }
    const last = commit.durable(write(20));
    vi.advanceTimersByTime(39);
    expect(seen()).toEqual(upTo(20));
    vi.advanceTimersByTime(1);
    await last;
    expect(seen()).toEqual(upTo(21));
  });

  it('answers an intent only when it is committed, and what was written before it with it', async () => {
    const { commit, seen, write } = numbers();
    commit.soon(write(1));
    const intent = commit.durable(write(2));
    expect(seen()).toEqual([]);
    await intent;
    expect(seen()).toEqual([1, 2]);
  });

  it('keeps the order of writing within and across transactions', async () => {
    const { file, commit, seen } = numbers();
    const last = file.prepare('INSERT OR REPLACE INTO number (n) SELECT max(n) + ? FROM number');
    file.exec('INSERT INTO number (n) VALUES (1)');
    const add = (n: number) => () => void last.run(n);
    commit.soon(add(1));
    await commit.durable(add(10));
    commit.soon(add(100));
    await commit.durable(add(1_000));
    expect(seen()).toEqual([1, 2, 12, 112, 1_112]);
  });

  it('does not keep in memory what nobody waits for', async () => {
    const { commit, seen, write } = numbers();
    for (const n of upTo(1_200)) commit.soon(write(n));
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen()).toEqual(upTo(1_200));
  });

  it('makes what nobody waits for durable soon after, by itself', async () => {
    const { commit, seen, write } = numbers();
    commit.soon(write(1));
    await expect.poll(seen, { timeout: 5_000 }).toEqual([1]);
  });

  it('commits at once when it is told to', () => {
    const { commit, seen, write } = numbers();
    commit.soon(write(1));
    commit.flush();
    expect(seen()).toEqual([1]);
    commit.check();
  });
});

describe('a commit that fails', () => {
  it('undoes the whole transaction, tells everybody who waits, and stops everything after it', async () => {
    const { commit, commits, seen, write } = numbers();
    await commit.durable(write(7));
    const waiting = [commit.durable(write(8)), commit.durable(write(7)), commit.durable(write(9))];
    const broken = { reason: 'unexpected', message: expect.stringContaining('UNIQUE constraint failed') };
    for (const result of await Promise.allSettled(waiting))
      expect(result).toMatchObject({ status: 'rejected', reason: broken });
    expect(seen()).toEqual([7]);

    const before = commits.count;
    await expect(commit.durable(write(10))).rejects.toMatchObject(broken);
    expect(() => commit.soon(write(11))).toThrow('so nothing more was sent');
    expect(() => commit.check()).toThrow('so nothing more was sent');
    commit.flush();
    expect(commits.count).toBe(before);
    expect(seen()).toEqual([7]);
  });

  it('for want of room says to free some space', async () => {
    const { file, commit } = numbers();
    file.pragma('max_page_count = 1');
    const fat = file.prepare("INSERT INTO workspace (place, users, fields) VALUES (?, '', '')");
    const write = commit.durable(() => void fat.run('x'.repeat(10_000_000)));
    await expect(write).rejects.toMatchObject({
      next: hint`Free some disk space, then: ${toCommand('resume')}`,
    });
  });

  it('of writes that nobody waits for is told at the next occasion', () => {
    const { commit, write } = numbers();
    commit.soon(write(1));
    commit.soon(write(1));
    commit.flush();
    expect(() => commit.check()).toThrow('UNIQUE');
  });
});
