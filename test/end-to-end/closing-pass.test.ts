import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/index.ts';
import { some } from '../long.ts';
import type { Running } from './command.ts';
import { atScene, type Scene } from './scene.ts';

const mapping = `mapping: people
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
  phone: { from: Phone, country: US }
`;

const count = 12;

const rows = Array.from({ length: count }, (_, n) => ({
  Id: String(n + 1),
  Name: `Name${n + 1}`,
  Email: `p${n + 1}@example.com`,
  Phone: `+1201555${1_001 + n}`,
}));

const settings = {
  policy: { workspace: 'exclusive', lookup: 'snapshot' },
  limits: { settle: '1s' },
};

type OnPhase = NonNullable<SandboxOptions['onPhase']>;

const tried = some(
  [
    ['SIGKILL', 'SIGKILL'],
    ['SIGINT', 130],
    ['SIGKILL', 'SIGKILL'],
    ['SIGTERM', 143],
  ] as const,
  2,
);

/** At each page of the list that is asked for once everybody was created the process under test meets another end. */
class Interruptions {
  readonly #signals: NodeJS.Signals[] = tried.map(([signal]) => signal);
  #victim: Running | undefined;
  created = 0;

  watch(victim: Running): void {
    this.#victim = victim;
  }

  readonly onPhase: OnPhase = async (phase, { method, path }) => {
    if (phase === 'applied' && method === 'POST' && /^\/contact\/(email|phone):/.test(path))
      this.created += 1;
    if (phase !== 'received' || path !== '/contact/list' || this.created < count) return;
    const signal = this.#signals.shift();
    if (signal === undefined) return;
    this.#victim?.process.kill(signal);
    // Not answered before the signal has ended it: a pass that comes to its end has nobody left to interrupt.
    await this.#victim?.ended;
  };
}

async function started(scene: Scene, interruptions: Interruptions, words?: readonly string[]) {
  const running = scene.start(...(words ?? ['import', join(scene.path, 'pipeline.yaml')]));
  interruptions.watch(running);
  return await running.ended;
}

it('a closing pass that is killed or stopped leaves the run unfinished, and resume does it again', async () => {
  const interruptions = new Interruptions();
  let added = false;
  const onPhase: OnPhase = (phase, request) => {
    // Somebody creates two of them after the list was read.
    if (phase === 'received' && request.path.startsWith('/contact/email:') && !added) {
      added = true;
      add();
    }
    return interruptions.onPhase(phase, request);
  };
  let add = () => {};
  await atScene({ mapping, rows, settings, existing: 'duplicate', rate: 'off', onPhase }, async (scene) => {
    add = () =>
      scene.sandbox.add({
        contacts: [
          { id: 901, firstName: 'Else', email: 'p3@example.com' },
          { id: 902, firstName: 'Else', phone: '+12015551007' },
        ],
      });
    for (const [, end] of tried) {
      const { code, signal } = await started(scene, interruptions);
      expect(signal ?? code).toBe(end);
    }
    const { code, stdout } = await started(scene, interruptions, ['resume']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'finished',
      rows: { read: count, created: count },
      problems: [{ code: 'identity.doubled', n: 2 }],
    });
    expect(scene.sandbox.contacts()).toHaveLength(count + 2);
    expect(interruptions.created).toBe(count);
  });
});
