import { describe, expect, it } from 'vitest';
import { forEachConcurrently } from '../../../src/app/run/at-once.ts';
import { defaultWorkspaceLimits } from '../../../src/workspace/index.ts';
import { atExport } from '../export/exporting.ts';
import { realImport } from '../import/real-import.ts';
import { undo } from '../undo/real-undo.ts';
import { verify } from '../verify/real-verify.ts';
import { slowWorkspace } from './slow-workspace.ts';

const people = 350;
const each = <T>(one: (n: number) => T) => Array.from({ length: people }, (_, n) => one(n));

const mapping = `mapping: many
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
`;

const lines = ['Id,Name,Email', ...each((n) => `${n},New Name${n},p${n}@example.test`)];
const contacts = each((n) => ({ id: n + 1, firstName: `Name${n}`, email: `p${n}@example.test` }));
const single = ['  policy: { lookup: single }'];

/** What a workspace takes that answers everything in 200 ms: more than the 64 of earlier versions. */
const many = 100;

describe('with the usual limits, as many requests are under way at once as the workspace takes', () => {
  it('in an import, a verification and an undo', async () => {
    expect(defaultWorkspaceLimits.concurrency).toBe('auto');
    const real = await realImport(mapping, lines, single, '', { seed: { contacts } });
    const slowly = () => slowWorkspace(real.sandbox, new AbortController().signal);

    const importing = slowly();
    const end = await real.import(importing);
    expect(end.exitCode).toBe(0);
    expect(importing.peak()).toBeGreaterThan(many);

    const verifying = slowly();
    const limits = { perPath: 5, concurrency: 512, likelyAtOnce: 512 };
    const { verification } = await verify(real, { workspace: verifying.workspace, limits });
    expect(verification).toMatchObject({ method: { way: 'single' }, contacts: { matched: people } });
    expect(verifying.peak()).toBeGreaterThan(many);

    const undoing = slowly();
    const undone = await undo(real, end.run, {
      ...{ workspace: undoing.workspace, clock: undoing.clock },
      limits: { settle: 2_000, attempts: 3, concurrency: 512 },
    });
    expect(undone.exitCode).toBe(0);
    expect(undoing.peak()).toBeGreaterThan(many);
    expect(real.sandbox.contacts().map(({ firstName }) => firstName)).toEqual(
      contacts.map(({ firstName }) => firstName),
    );
  });

  it('in an export of messages', async () => {
    const messages = contacts.flatMap(({ id }) =>
      Array.from({ length: 51 }, (_, n) => ({
        messageId: id * 100 + n,
        contactId: id,
        message: { type: 'text', text: 'Hi' },
        status: [{ value: 'sent', timestamp: 1_700_000_000 }],
      })),
    );
    const settings = { contacts: { format: 'ndjson' }, messages: { format: 'ndjson' } };
    await atExport({ settings, seed: { contacts, messages } }, async ({ sandbox, ...exporting }) => {
      const { peak, ...slow } = slowWorkspace(sandbox, new AbortController().signal);
      const { manifest } = await exporting.export(slow);
      expect(manifest?.counts).toEqual({ contacts: people, messages: people * 51 });
      expect(peak()).toBeGreaterThan(many);
    });
  });
});

describe('things that are worked on at once', () => {
  const turns = async () => {
    for (let n = 0; n < 10; n += 1) await Promise.resolve();
  };

  it('are so many and no more, each once and in their order', async () => {
    const begun: number[] = [];
    let [active, peak] = [0, 0];
    await forEachConcurrently(3, Array.from({ length: 10 }, (_, n) => n).values(), async (n) => {
      begun.push(n);
      active += 1;
      peak = Math.max(peak, active);
      await turns();
      active -= 1;
    });
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(peak).toBe(3);
  });

  it('give their place away while they wait, and go on when there is one again', async () => {
    const gate = { open: () => {} };
    const opened = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    const log: string[] = [];
    let [active, peak] = [0, 0];
    await forEachConcurrently(2, [1, 2, 3, 4, 5, 6], async (n, withoutSlot) => {
      active += 1;
      if (n <= 2) {
        active -= 1;
        await withoutSlot(() => opened);
        active += 1;
      }
      peak = Math.max(peak, active);
      await turns();
      log.push(`${n}`);
      active -= 1;
      if (n === 4) gate.open();
    });
    expect(log.slice(0, 2)).toEqual(['3', '4']);
    expect([...log].sort()).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(peak).toBe(2);
  });

  it('all end where every one of them waits', async () => {
    let ended = 0;
    await forEachConcurrently(1, [1, 2, 3], async (_, withoutSlot) => {
      await withoutSlot(turns);
      ended += 1;
    });
    expect(ended).toBe(3);
  });

  it('end with the first error: nothing more is asked for', async () => {
    let asked = 0;
    function* numbers() {
      for (;;) {
        asked += 1;
        yield asked;
      }
    }
    const work = async (n: number) => {
      await turns();
      if (n === 4) throw new Error('the fourth');
    };
    await expect(forEachConcurrently(2, numbers(), work)).rejects.toThrow('the fourth');
    await turns();
    expect(asked).toBeLessThanOrEqual(6);
    const before = asked;
    await turns();
    expect(asked).toBe(before);
  });
});
