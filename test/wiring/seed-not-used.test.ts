import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { announceTarget, openSandbox } from '../../src/wiring/target.ts';
import { temporaryFolder } from '../temporary-folder.ts';

it('a local workspace that exists says that another seed than its own is not used', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const [file, seed] = [join(folder.path, 'sandbox.db'), join(folder.path, 'seed.json')];
  const notesWith = async (text: string) => {
    writeFileSync(seed, text);
    const notes: string[] = [];
    const target = await openSandbox(file, seed);
    announceTarget(target, { note: (note) => notes.push(note) });
    await target.close();
    return notes;
  };
  expect(await notesWith('{"contacts":[{"firstName":"A"}]}')).toEqual([]);
  expect(await notesWith('{"contacts":[{"firstName":"A"}]}')).toEqual([]);
  expect(await notesWith('{"contacts":[{"firstName":"B"}]}')).toEqual([
    `The local workspace ${file} exists already: the seed ${seed} is not used. To start from it, remove the workspace: rm ${file}`,
  ]);
});
