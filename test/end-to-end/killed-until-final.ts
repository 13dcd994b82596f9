import { join } from 'node:path';
import { expect } from 'vitest';
import type { Executioner } from './executioner.ts';
import type { Report, Scene } from './scene.ts';

/** Runs `import` again and again until it is not killed any more; every stroke has fallen then. */
export async function killedUntilFinal(
  scene: Scene,
  executioner: Executioner,
  ...flags: readonly string[]
): Promise<Report> {
  executioner.prepare(scene.sandbox);
  for (let left = executioner.open.length; left >= 0; left -= 1) {
    const victim = scene.start('import', join(scene.path, 'pipeline.yaml'), ...flags);
    executioner.watch(victim);
    const ended = await victim.ended;
    if (ended.signal === 'SIGKILL') continue;
    expect(executioner.open, `${ended.stderr} ${ended.stdout}`).toEqual([]);
    return scene.report(ended);
  }
  throw new Error('killed more often than there are strokes');
}
