import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { forgetPersonInWorkDir } from '../../../src/app/forget/forget.ts';
import { listWorkFiles, workFileKinds } from '../../../src/app/forget/work-files.ts';
import { parsePersonQuery } from '../../../src/journal/index.ts';
import { systemClock } from '../../../src/workspace/index.ts';
import { placesOf } from '../../end-to-end/forgotten-person.ts';
import { usualInvocation } from '../../invocation.ts';
import { openFile, workDir } from '../../journal/work-dir.ts';

/** Kinds that never hold anything of a person. */
const withoutPeople = ['fleet-workspace', 'fleet-workspace.part', 'locks/*.lock'];

const isDatabase = (path: string) => path.endsWith('.db');

function createExample(path: string): string {
  return path.replaceAll('**', 'folder/file').replaceAll('*', 'x');
}

it('a person is taken out of every kind of file, and each kind is told from the others by its path', async () => {
  const dir = workDir();
  openFile(dir).close();
  // A lock is never read, and the mark of a fleet keeps commands out.
  const apart = ['locks/*.lock', 'fleet-workspace'];
  const examples = workFileKinds.filter(({ path }) => !isDatabase(path) && !apart.includes(path));
  for (const { path } of examples) {
    const file = join(dir, createExample(path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'name,email\nZenobia,"zenobia.quist@example.com"\nAda,ada@example.com\n');
  }
  const kinds = new Map(listWorkFiles(dir).map(({ name, kind }) => [name, kind]));
  for (const kind of examples) expect(kinds.get(createExample(kind.path)), kind.path).toBe(kind);

  const forgotten = await forgetPersonInWorkDir({
    ...{
      workDir: dir,
      invocation: usualInvocation,
      asked: parsePersonQuery('zenobia.quist@example.com'),
      clock: systemClock,
    },
    confirm: () => Promise.resolve(true),
  });
  const named = placesOf(dir, ['zenobia.quist@example.com']).map((place) => place.replace(/:.*/, ''));
  expect(named).toEqual(['fleet-workspace.part']);
  expect(forgotten?.left).toEqual(named);
  expect(forgotten?.changed).toHaveLength(examples.length - named.length);
});

it('the guide names every place with data of people', () => {
  const guide = readFileSync('docs/peoples-data.md', 'utf8');
  const places = workFileKinds
    .filter(({ path }) => !withoutPeople.includes(path))
    .map(({ path }) => path.replace(/\/.*/, '/'));
  const named = [...guide.matchAll(/^\| `([^`]+)` \|/gm)].map(([, place = '']) => place.replace('/RUN', ''));
  expect([...new Set(places)].sort()).toEqual(named.sort());
});
