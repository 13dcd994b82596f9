import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { routes } from '../../src/studio/wire/routes.ts';
import { run as runCommand } from '../end-to-end/command.ts';
import { atScene, contactWith } from '../end-to-end/scene.ts';
import { atStudio, type StudioUnderTest } from './at-studio.ts';
import { twoProposals } from './proposals.ts';
import { ended } from './studio-of-site.ts';

it('decisions about proposed merges are in the list at once, whoever reads it, and are applied as they are', () =>
  atScene(twoProposals, async (scene) => {
    const { run, code } = await scene.import();
    expect(code).toBe(3);
    const folder = scene.path;
    const workDir = join(folder, 'work');
    const studio = await atStudio({ folder, workDir });
    const { call, send } = studio;
    expect((await call('mergeRuns', {})).runs).toMatchObject([{ run, pipeline: 'people', proposals: 2 }]);
    const file = `work/runs/${run}/approved-merges.csv`;
    const command = {
      command: 'import',
      pipeline: 'pipeline.yaml',
      workspace: scene.sandbox.baseUrl,
      approve: file,
    } as const;
    const progress = { proposals: 2, file, command };
    expect(await call('mergeProgress', { run })).toEqual({ ...progress, decided: 0, approved: 0 });

    const { pairs } = await call('mergePairs', { run, after: null, count: 1 });
    const { pairs: rest } = await call('mergePairs', { run, after: pairs[0]?.at ?? null, count: 50 });
    const [first, second] = [...pairs, ...rest];
    if (first === undefined || second === undefined || rest.length !== 1) throw new Error('not two pairs');
    expect(first).toMatchObject({ line: 2, contacts: [10, 50], decision: { answer: '' } });
    const agreements = new Map(first.fields.map(({ field, agreement }) => [field, agreement]));
    expect(['firstName', 'lastName', 'language'].map((field) => agreements.get(field))).toEqual([
      'differs',
      'onlyNewer',
      'equal',
    ]);

    const wrong = { run, at: first.at, answer: 'yes', result: { email: 'no e-mail' } } as const;
    const refused = await send(routes.decidePair, wrong);
    expect(refused.status).toBe(422);
    expect((await refused.json()).message).toContain('"no e-mail" under "email"');
    for (const other of [{ at: { seq: 9, pair: 0 } }, { result: { nobody: 'x' } }])
      expect((await send(routes.decidePair, { ...wrong, ...other })).ok).toBe(false);
    expect(existsSync(join(folder, file))).toBe(false);

    // At once: the second begins with what the first has written.
    const result = { ...proposedOf(first), lastName: 'Roe' };
    await Promise.all([
      call('decidePair', { run, at: first.at, answer: 'yes', result }),
      call('decidePair', { run, at: second.at, answer: 'no', result: {} }),
    ]);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    const other = await atStudio({ folder, workDir });
    expect(await other.call('mergeProgress', { run })).toEqual({ ...progress, decided: 2, approved: 1 });
    const seen = (await other.call('mergePairs', { run, after: null, count: 50 })).pairs;
    expect(seen.map(({ decision }) => decision)).toEqual([
      { answer: 'yes', result: { lastName: 'Roe' } },
      { answer: 'no' },
    ]);
    expect(await call('decidePair', { run, at: second.at, answer: '', result: {} })).toMatchObject({
      decided: 1,
    });

    const { id } = await call('startProcess', { command, token: 'sandbox' });
    expect(await ended(studio, id)).toMatchObject({ exitCode: 0 });
    expect(scene.writes()).toEqual(['POST /contact/merge']);
    expect(contactWith(scene.sandbox, 10)).toMatchObject({ lastName: 'Roe' });
  }));

/** Returns what the status of a run says about its merges. */
async function waitingMerges({ call }: StudioUnderTest, run: string) {
  const status = await call('status', { run });
  if (!('rows' in status)) throw new Error('no import');
  return {
    proposals: status.proposals,
    isLeftBehind: status.leftBehind.some(({ kind }) => kind === 'conflicts'),
    isNext: status.next.some(({ command }) => command?.includes('--approve')),
  };
}

it('merges that were applied do not wait for an answer any more', () =>
  atScene(twoProposals, async (scene) => {
    const { run } = await scene.import();
    const studio = await atStudio({ folder: scene.path, workDir: join(scene.path, 'work') });
    const { call } = studio;
    const { pairs } = await call('mergePairs', { run, after: null, count: 50 });
    const waiting = () => waitingMerges(studio, run);
    const apply = async (index: number) => {
      const pair = pairs[index];
      if (pair === undefined) throw new Error('no pair');
      const { command } = await call('decidePair', { run, at: pair.at, answer: 'yes', result: {} });
      const { id } = await call('startProcess', { command, token: 'sandbox' });
      expect(await ended(studio, id)).toMatchObject({ exitCode: 0 });
    };
    expect(await waiting()).toEqual({
      ...{ proposals: { proposed: 2, open: 2, refused: 0 }, isLeftBehind: true, isNext: true },
    });
    await apply(0);
    expect(await waiting()).toEqual({
      ...{ proposals: { proposed: 2, open: 1, refused: 0 }, isLeftBehind: true, isNext: true },
    });
    const second = pairs[1];
    await call('decidePair', { run, at: pairs[0]?.at ?? { seq: 0, pair: 0 }, answer: '', result: {} });
    if (second !== undefined) await apply(1);
    expect(await waiting()).toEqual({
      ...{ proposals: { proposed: 2, open: 0, refused: 0 }, isLeftBehind: false, isNext: false },
    });
  }));

it('merges that are answered with no do not wait for an answer, but their rows are still left behind', () =>
  atScene(twoProposals, async (scene) => {
    const { run } = await scene.import();
    const studio = await atStudio({ folder: scene.path, workDir: join(scene.path, 'work') });
    const { call } = studio;
    const [first, second] = (await call('mergePairs', { run, after: null, count: 50 })).pairs;
    if (first === undefined || second === undefined) throw new Error('not two pairs');
    const refuse = async ({ at }: typeof first) =>
      await call('decidePair', { run, at, answer: 'no', result: {} });
    await refuse(first);
    expect(await waitingMerges(studio, run)).toEqual({
      ...{ proposals: { proposed: 2, open: 1, refused: 1 }, isLeftBehind: true, isNext: true },
    });
    await refuse(second);
    expect(await waitingMerges(studio, run)).toEqual({
      ...{ proposals: { proposed: 2, open: 0, refused: 2 }, isLeftBehind: true, isNext: false },
    });
    const { stdout } = await runCommand(['status', run, '--work-dir', join(scene.path, 'work')]);
    expect(stdout).not.toMatch(/import \S+[.]yaml.*--approve/);
    await call('decidePair', { run, at: second.at, answer: '', result: {} });
    expect(await waitingMerges(studio, run)).toMatchObject({ proposals: { open: 1, refused: 1 } });
  }));

it('an answer of no that is typed into the list of the run counts like one of the studio', () =>
  atScene(twoProposals, async (scene) => {
    const { run } = await scene.import();
    const studio = await atStudio({ folder: scene.path, workDir: join(scene.path, 'work') });
    const list = join(scene.path, 'work', 'runs', run, 'merge-proposals.csv');
    const [header = '', ...lines] = readFileSync(list, 'utf8').split('\n');
    const answered = lines.map((line) => (line === '' ? line : `nein${line}`));
    writeFileSync(list, [header, ...answered].join('\n'));
    expect(await waitingMerges(studio, run)).toMatchObject({
      ...{ proposals: { proposed: 2, open: 0, refused: 2 }, isNext: false },
    });
  }));

it('a list that somebody has broken in a spreadsheet is not written over', () =>
  atScene(twoProposals, async (scene) => {
    const { run } = await scene.import();
    const { call, send, folder } = await atStudio({ folder: scene.path, workDir: join(scene.path, 'work') });
    const { file } = await call('mergeProgress', { run });
    const [pair] = (await call('mergePairs', { run, after: null, count: 1 })).pairs;
    if (pair === undefined) throw new Error('no pair');
    const decision = { run, at: pair.at, answer: 'yes', result: {} } as const;
    await call('decidePair', decision);
    const broken = readFileSync(join(folder, file), 'utf8').replace('yes', 'maybe');
    writeFileSync(join(folder, file), broken);
    const refused = await send(routes.decidePair, decision);
    expect(refused.status).toBe(422);
    expect((await refused.json()).message).toContain('neither yes nor no');
    expect(readFileSync(join(folder, file), 'utf8')).toBe(broken);
  }));

function proposedOf({
  fields,
}: {
  fields: readonly { field: string; result: string }[];
}): Record<string, string> {
  return Object.fromEntries(fields.map(({ field, result }) => [field, result]));
}
