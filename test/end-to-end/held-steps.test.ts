import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { run } from './in-process.ts';
import { atScene, contactOf, type Scene } from './scene.ts';
import {
  allComments,
  attachTags,
  labelled,
  wholeContact,
  wholeMapping,
  wholeRow,
  wholeSeed,
  wholeWanted,
} from './whole-person.ts';

const people = [0, 1, 2].map((n) => ({
  key: `H${n}`,
  email: `person${n}@example.com`,
  phone: `+1201555017${n}`,
}));

const rows = people.map(({ key, email, phone }) => wholeRow(key, { Email: email, Phone: phone }));
const seed = { ...wholeSeed, contacts: [{ id: 71, firstName: 'FIRST H0', email: people[0]?.email }] };

it('leaves deferred steps out, and --deferred takes exactly these for the same rows', async () => {
  const settings = { deferred: ['lifecycle', 'assignee', 'conversation'], extensions: attachTags };
  const options = { mapping: wholeMapping, rows, settings, seed, extensions: { attachTags: true } };
  await atScene(options, async (scene) => {
    expect(await scene.import()).toMatchObject({ code: 0, rows: { created: 2, updated: 1 } });
    for (const { key, email, phone } of people) {
      const contact = contactOf(scene.sandbox, email);
      const held = { lifecycle: null, assignee: undefined, status: 'open', closing: null };
      expect(wholeContact(contact)).toEqual({ ...wholeWanted(key, { email, phone }), ...held });
      expect(labelled(contact)).toEqual(allComments);
    }

    expect(await nextSteps(scene)).toContainEqual(expect.stringMatching(/ import \S+ --deferred/));
    scene.sandbox.resetLog();
    expect((await scene.import('--deferred')).code).toBe(0);
    expect(await nextSteps(scene)).toEqual([]);
    expect(scene.writes().sort()).toEqual(heldWrites(scene));
    for (const { key, email, phone } of people) {
      const contact = contactOf(scene.sandbox, email);
      expect(wholeContact(contact)).toEqual(wholeWanted(key, { email, phone }));
      expect(labelled(contact)).toEqual(allComments);
    }

    scene.sandbox.resetLog();
    await scene.import('--deferred');
    await scene.import();
    expect(scene.writes()).toEqual([]);
  });
});

/** The commands that `status` names. */
async function nextSteps({ path }: Scene): Promise<readonly unknown[]> {
  const { stdout } = await run(['status', '--json', '--work-dir', join(path, 'work')]);
  const { next } = z.object({ next: z.array(z.object({ command: z.unknown() })) }).parse(JSON.parse(stdout));
  return next.map(({ command }) => command);
}

function heldWrites({ sandbox }: Scene): string[] {
  return people
    .map(({ email }) => contactOf(sandbox, email).id)
    .flatMap((id) => [
      `POST /contact/id:${id}/lifecycle/update`,
      `POST /contact/id:${id}/conversation/assignee`,
      `POST /contact/id:${id}/conversation/status`,
    ])
    .sort();
}

it('lets other rows go on while the steps of new contacts wait for them to be seen', async () => {
  const count = 24;
  const many = Array.from({ length: count }, (_, n) => wholeRow(`W${n}`, { Email: `wait${n}@example.com` }));
  const settings = { limits: { concurrency: 2, settle: '10s' }, extensions: attachTags };
  const options = { mapping: wholeMapping, rows: many, settings, seed: wholeSeed, processingMs: 3_000 };
  await atScene({ ...options, extensions: { attachTags: true } }, async (scene) => {
    expect(await scene.import()).toMatchObject({ code: 0, rows: { created: count } });
    const applied = scene.sandbox.log.filter(
      (entry) => entry.applied && entry.template.startsWith('/contact/'),
    );
    const firstStep = applied.findIndex(({ path }) => path.endsWith('/lifecycle/update'));
    // One after the other, two at a time, would have seen two.
    expect(firstStep).toBeGreaterThan(count / 2);
  });
});
