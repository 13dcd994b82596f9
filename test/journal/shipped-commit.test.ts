import { describe, expect, it } from 'vitest';
import { type CommitShipper, GroupCommit } from '../../src/journal/group-commit.ts';
import { FatalError } from '../../src/model/fatal-error.ts';
import { systemClock } from '../../src/workspace/index.ts';
import { openFile, workDir } from './work-dir.ts';

/** A place that keeps what is shipped to it waiting until a test lets it arrive. */
class HandShipping implements CommitShipper {
  readonly onTheWay: { arrive(): void; fail(error: unknown): void }[] = [];
  begun = 0;

  ship(): Promise<void> {
    this.begun += 1;
    return new Promise((arrive, fail) => this.onTheWay.push({ arrive, fail }));
  }

  /** Lets the oldest shipment arrive. */
  arrive(): void {
    this.onTheWay.shift()?.arrive();
  }
}

function shipped() {
  const dir = workDir();
  const file = openFile(dir);
  file.exec('CREATE TABLE number (n INTEGER PRIMARY KEY)');
  const shipping = new HandShipping();
  const commit = new GroupCommit(file, systemClock, { maxConcurrentIntents: () => 0, shipping });
  const insert = file.prepare('INSERT INTO number (n) VALUES (?)');
  const done: number[] = [];
  const intend = (n: number) =>
    commit
      .durable(() => void insert.run(n))
      .then(
        () => void done.push(n),
        () => void done.push(-n),
      );
  const seen = () => file.prepare<[], number>('SELECT n FROM number ORDER BY n').pluck().all();
  const turns = async () => {
    for (let n = 0; n < 4; n += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    commit,
    shipping,
    done,
    intend,
    seen,
    turns,
    soon: (n: number) => commit.soon(() => void insert.run(n)),
  };
}

describe('a group commit that is shipped', () => {
  it('acknowledges an intent only when it has arrived, and in order', async () => {
    const { shipping, done, intend, seen, turns } = shipped();
    void intend(1);
    await turns();
    expect(seen()).toEqual([1]);
    expect(done).toEqual([]);
    void intend(2);
    void intend(3);
    await turns();
    // One shipment at a time: what comes meanwhile shares the next one.
    expect(shipping.begun).toBe(1);
    shipping.arrive();
    await turns();
    expect(done).toEqual([1]);
    expect(shipping.begun).toBe(2);
    shipping.arrive();
    await turns();
    expect(done).toEqual([1, 2, 3]);
  });

  it('commits at once for whoever reads, and ships that, too', async () => {
    const { commit, shipping, seen, soon, turns } = shipped();
    soon(1);
    commit.flush();
    expect(seen()).toEqual([1]);
    const settled = commit.settled();
    let isSettled = false;
    void settled.then(() => {
      isSettled = true;
    });
    while (shipping.onTheWay.length > 0) {
      expect(isSettled).toBe(false);
      shipping.arrive();
      await turns();
    }
    await settled;
    expect(isSettled).toBe(true);
  });

  it('that is asked for in the very turn in which another one arrives is shipped as well', async () => {
    const { commit, shipping, done, intend, soon, turns } = shipped();
    const next = intend(1).then(() => {
      soon(2);
      commit.flush();
    });
    await turns();
    shipping.arrive();
    await next;
    await turns();
    expect(shipping.begun).toBe(2);
    expect(done).toEqual([1]);
  });

  it('is broken by a shipment that fails: nothing is acknowledged any more, and everybody hears why', async () => {
    const { commit, shipping, done, intend, soon, turns } = shipped();
    void intend(1);
    await turns();
    void intend(2);
    await turns();
    shipping.onTheWay[0]?.fail(new FatalError('locked', 'the lease is lost'));
    await turns();
    expect(done).toEqual([-1, -2]);
    await expect(commit.durable(() => undefined)).rejects.toThrow('the lease is lost');
    expect(() => soon(3)).toThrow('the lease is lost');
    await expect(commit.settled()).rejects.toThrow('the lease is lost');
  });

  it('says what happened where the database refuses it', async () => {
    const { commit, shipping, intend, turns } = shipped();
    void intend(1);
    await turns();
    shipping.onTheWay[0]?.fail(new Error('disk full'));
    await turns();
    expect(() => commit.check()).toThrow(
      'the journal could not be copied to the database (disk full), so nothing more was sent.',
    );
  });
});
