import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdentifierQueue } from '../../src/identity/sequence.ts';

/** Rows by their identifiers; all enter in order, each runs when it may, and `begun` and `ended` say when. */
class Rows {
  readonly log: string[] = [];
  readonly running = new Set<number>();
  readonly overlaps: [number, number][] = [];
  readonly sequence = new IdentifierQueue();
  readonly #ends = new Map<number, () => void>();

  async enter(rows: readonly (readonly string[])[]): Promise<void> {
    await Promise.all(
      rows.map(async (identifiers, n) => {
        const turn = this.sequence.enter(identifiers);
        await turn.ready;
        for (const other of this.running) this.overlaps.push([other, n]);
        this.running.add(n);
        this.log.push(`+${n}`);
        await new Promise<void>((resolve) => this.#ends.set(n, resolve));
        this.running.delete(n);
        this.log.push(`-${n}`);
        turn.leave();
      }),
    );
  }

  async end(n: number): Promise<void> {
    this.#ends.get(n)?.();
    await settled();
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('rows of one person', () => {
  it('go one after the other in the order of the input, others at the same time', async () => {
    const rows = new Rows();
    const all = rows.enter([['a'], ['a'], ['b'], ['a']]);
    await settled();
    expect(rows.log).toEqual(['+0', '+2']);
    await rows.end(0);
    expect(rows.log).toEqual(['+0', '+2', '-0', '+1']);
    await rows.end(1);
    await rows.end(2);
    await rows.end(3);
    await all;
    expect(rows.log.filter((entry) => entry.startsWith('+'))).toEqual(['+0', '+2', '+1', '+3']);
  });

  it('include those that hang together by way of a third', async () => {
    const rows = new Rows();
    const all = rows.enter([['email:a'], ['phone:1'], ['email:a', 'phone:1'], ['phone:1'], ['email:a']]);
    await settled();
    expect([...rows.running]).toEqual([0, 1]);
    await rows.end(0);
    expect([...rows.running]).toEqual([1]);
    await rows.end(1);
    expect([...rows.running]).toEqual([2]);
    await rows.end(2);
    expect([...rows.running]).toEqual([3, 4]);
    await rows.end(4);
    await rows.end(3);
    await all;
  });

  it('wait for nobody where nobody is before them', () => {
    const sequence = new IdentifierQueue();
    expect(sequence.enter(['a', 'b']).ready).toBeUndefined();
    expect(sequence.enter(['c']).ready).toBeUndefined();
    expect(sequence.enter([]).ready).toBeUndefined();
    expect(sequence.enter(['b', 'd']).ready).toBeInstanceOf(Promise);
  });

  it('leave nothing behind', async () => {
    const sequence = new IdentifierQueue();
    const turns = [['a', 'b'], ['b', 'c'], ['a']].map((identifiers) => sequence.enter(identifiers));
    expect(sequence.size).toBe(3);
    for (const turn of turns) turn.leave();
    expect(sequence.size).toBe(0);
  });
});

const keys = fc.subarray(['a', 'b', 'c', 'd', 'e']);

it('whatever rows hang together: none overlaps, none waits for ever, none waits without reason', async () => {
  const property = fc.asyncProperty(
    fc.array(keys, { maxLength: 12 }),
    fc.infiniteStream(fc.nat(100)),
    async (rows, picks) => {
      const all = new Rows();
      const done = all.enter(rows);
      await settled();
      const share = (a: number, b: number) => rows[a]?.some((key) => rows[b]?.includes(key));
      const over = new Set<number>();
      while (over.size < rows.length) {
        const running = [...all.running];
        // Who may run is who shares nothing with an earlier row that is not over.
        const free = [...rows.keys()].filter(
          (n) => !over.has(n) && ![...rows.keys()].some((m) => m < n && !over.has(m) && share(m, n)),
        );
        expect(running.sort((a, b) => a - b)).toEqual(free);
        const next = running[(picks.next().value ?? 0) % running.length] ?? 0;
        over.add(next);
        await all.end(next);
      }
      await done;
      expect(all.overlaps.filter(([a, b]) => share(a, b))).toEqual([]);
      expect(all.sequence.size).toBe(0);
    },
  );
  await fc.assert(property, { numRuns: 150 });
});
