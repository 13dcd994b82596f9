import { join } from 'node:path';
import { expect } from 'vitest';
import type { ProcessKiller } from './process-killer.ts';
import type { Report, Scene } from './scene.ts';

/** Runs `import` again and again until it is not killed any more; every stroke has fallen then. */
export async function killedUntilFinal(
  scene: Scene,
  killer: ProcessKiller,
  ...flags: readonly string[]
): Promise<Report> {
  killer.prepare(scene.sandbox);
  for (let left = killer.open.length; left >= 0; left -= 1) {
    const victim = scene.start('import', join(scene.path, 'pipeline.yaml'), ...flags);
    killer.watch(victim);
    const ended = await victim.ended;
    if (ended.signal === 'SIGKILL') continue;
    expect(killer.open, `${ended.stderr} ${ended.stdout}`).toEqual([]);
    return scene.report(ended);
  }
  throw new Error('killed more often than there are strokes');
}
