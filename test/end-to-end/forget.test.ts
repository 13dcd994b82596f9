import { join } from 'node:path';
import { expect, it } from 'vitest';
import { forgottenBytes, forgottenRow, placesOf } from './forgotten-person.ts';
import { run } from './in-process.ts';
import { atScene, type Scene } from './scene.ts';
import { attachTags, wholeMapping, wholeRow, wholeSeed } from './whole-person.ts';

const others = [1, 2, 3].map((n) =>
  wholeRow(`H${n}`, { Email: `person${n}@example.com`, Phone: `+1201555011${n}` }),
);
const rejected = { ...forgottenRow, ID: 'F18', Stage: 'No such stage' };
const site = {
  mapping: wholeMapping,
  rows: [...others, forgottenRow, rejected],
  settings: { extensions: attachTags, policy: { maxErrors: 100 } },
  seed: wholeSeed,
  extensions: { attachTags: true },
};

const workOf = ({ path }: Scene) => join(path, 'work');

async function longshore(scene: Scene, ...args: readonly string[]) {
  return await run([...args, '--work-dir', workOf(scene)], { LONGSHORE_TOKEN: 'sandbox' });
}

it('leaves no byte of a person in the work dir, counts add up, and the next import does nothing about them', async () => {
  await atScene(site, async (scene) => {
    const first = await scene.import();
    const before = first.rows;
    expect(placesOf(workOf(scene)).length).toBeGreaterThan(5);
    const ended = await longshore(scene, 'forget', 'zenobia.quist@example.com', '--yes');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(placesOf(workOf(scene))).toEqual([]);
    expect(placesOf(workOf(scene), ['person1@example.com'])).not.toEqual([]);
    const status = await longshore(scene, 'status', first.run, '--json');
    expect(JSON.parse(status.stdout).rows).toEqual(before);
    scene.sandbox.resetLog();
    const second = await scene.import();
    expect(second.rows).toMatchObject({ unchanged: 3, skipped: 2 });
    expect(scene.writes()).toEqual([]);
    expect(placesOf(workOf(scene), forgottenBytes)).toEqual([]);
  });
});
