import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findSourceWorkspace } from '../../../src/app/run/open-source.ts';
import { announceTarget, openSandboxTarget } from '../../../src/app/run/target.ts';
import { loadImportPipeline } from '../../../src/pipeline/index.ts';
import { usualInvocation } from '../../invocation.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

it('a local workspace that exists says that another seed than its own is not used', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const [file, seed] = [join(folder.path, 'sandbox.db'), join(folder.path, 'seed.json')];
  const notesWith = async (text: string) => {
    writeFileSync(seed, text);
    const notes: string[] = [];
    const target = await openSandboxTarget(file, seed);
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

it('a local workspace that is read says it, too', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const path = (name: string) => join(folder.path, name);
  writeFileSync(
    path('m.yaml'),
    'mapping: m\ncontact: { firstName: { from: firstName }, email: { from: email } }\n',
  );
  const sandbox = { file: 'old.db', seed: 'seed.json' };
  writeFileSync(
    path('p.yaml'),
    JSON.stringify({
      ...{ pipeline: 'p' },
      import: { source: { format: 'workspace', sandbox }, mapping: 'm.yaml' },
    }),
  );
  const pipeline = await loadImportPipeline(path('p.yaml'));
  const notes: string[] = [];
  for (const firstName of ['A', 'B']) {
    writeFileSync(path('seed.json'), JSON.stringify({ contacts: [{ firstName }] }));
    const source = findSourceWorkspace(pipeline, {
      invocation: usualInvocation,
      workspace: 'sandbox',
      workDir: folder.path,
    });
    const opened = await source
      ?.live(new AbortController().signal, (event) => {
        if (event.kind === 'warning') notes.push(event.text);
      })
      .open();
    await opened?.workspace.close(0);
    await opened?.close();
  }
  expect(notes).toEqual([
    `The local workspace ${path('old.db')} exists already: the seed ${path('seed.json')} is not used. To start from it, remove the workspace: rm ${path('old.db')}`,
  ]);
});
