import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/index.ts';
import { isLong, some } from '../long.ts';
import type { Running } from './command.ts';
import { atScene, type Scene } from './scene.ts';

const mapping = `mapping: people
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
customFields:
  Plan: { from: Plan, type: text }
tags: { from: Tag }
`;

const seed = { customFields: [{ id: 1, name: 'Plan', dataType: 'text' as const }] };

const row = (n: number, plan: string) => ({
  Id: String(n),
  Name: `Name${n}`,
  Email: `p${n}@example.com`,
  Plan: plan,
  Tag: 'customer',
});

/** A command that reads the workspace and changes nothing there. */
interface Reader {
  readonly name: string;
  /** What it is called with, after an import and an export were made. */
  readonly args: (scene: Scene, run: string) => readonly string[];
}

const readers: readonly Reader[] = [
  {
    name: 'plan',
    args: ({ path }) => ['plan', join(path, 'pipeline.yaml'), '--out', join(path, 'plan.db')],
  },
  { name: 'rehearse', args: ({ path }) => ['rehearse', join(path, 'pipeline.yaml')] },
  { name: 'verify', args: (_, run) => ['verify', run] },
  {
    name: 'verify --online',
    args: ({ path }) => ['verify', join(path, 'export'), '--online'],
  },
];

type Phase = Parameters<NonNullable<SandboxOptions['onPhase']>>[0];

/** Kills whoever is watched when the n-th request since then comes to this phase. */
class Hand {
  #victim: Running | undefined;
  #left = 0;
  #phase: Phase = 'received';

  strike(victim: Running, nth: number, phase: Phase): void {
    this.#victim = victim;
    this.#left = nth;
    this.#phase = phase;
  }

  readonly onPhase = (phase: Phase): void => {
    if (phase !== this.#phase) return;
    this.#left -= 1;
    if (this.#left === 0) this.#victim?.process.kill('SIGKILL');
  };
}

describe.each(some(readers))('$name, killed', ({ args }) => {
  it('leaves nothing that the next one does not handle, and no change anywhere', async () => {
    const hand = new Hand();
    const rows = [1, 2, 3, 4].map((n) => row(n, 'gold'));
    await atScene({ mapping, rows, seed, rate: 'off', onPhase: hand.onPhase }, async (scene) => {
      const { run } = await scene.import();
      const pipeline = {
        pipeline: 'out',
        export: { to: join(scene.path, 'export'), contacts: { format: 'ndjson' } },
      };
      writeFileSync(join(scene.path, 'export.yaml'), JSON.stringify(pipeline));
      expect((await scene.start('export', join(scene.path, 'export.yaml')).ended).code).toBe(0);
      scene.writeRows([...rows.slice(0, 2), row(3, 'blue'), row(5, 'gold')]);
      const contacts = scene.sandbox.contacts();
      const whole = await scene.start(...args(scene, run)).ended;
      const left = filesIn(scene.path);
      const writes = scene.writes();

      let kills = 0;
      for (let nth = 1; isLong || nth <= 2; nth += 1) {
        const victim = scene.start(...args(scene, run));
        hand.strike(victim, nth, nth % 2 === 0 ? 'answered' : 'received');
        if ((await victim.ended).signal !== 'SIGKILL') break;
        kills += 1;
        const next = await scene.start(...args(scene, run)).ended;
        expect({ code: next.code, stderr: next.stderr }).toEqual({ code: whole.code, stderr: whole.stderr });
        expect(filesIn(scene.path)).toEqual(left);
      }
      expect(kills).toBeGreaterThanOrEqual(2);
      expect(scene.sandbox.contacts()).toEqual(contacts);
      expect(scene.writes()).toEqual(writes);
      expect((await scene.import()).rows).toMatchObject({ created: 1, updated: 1 });
    });
  });
});

/** Every file below a folder but what SQLite keeps while a database is open. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/-(?:wal|shm)$/.test(name))
    .sort();
}
