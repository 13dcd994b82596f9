import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { run } from './in-process.ts';
import { edit, type InputRow, type Scene } from './scene.ts';
import { attachTags, wholeMapping, wholeRow, wholeSeed } from './whole-person.ts';

/** A person whose every value is unique, so that it can be searched for. */
export const forgottenRow: InputRow = {
  ...wholeRow('Zq-17', { Email: 'Zenobia.Quist@example.com', Phone: '+12015550177' }),
  First: 'Zenobia',
  Last: 'Quistgaard',
  City: 'Xanadu-on-Sea',
  Story: 'Wrote twice about the violet harpsichord.',
};

/** The texts that a work dir must not hold afterwards. */
export const forgottenBytes = [
  'Zenobia',
  'Quist',
  'zenobia.quist@example.com',
  '12015550177',
  'Xanadu',
  'harpsichord',
  'Zq-17',
];

/** Returns where a work dir holds one of the words, as UTF-8 or UTF-16: `file: word`. */
export function placesOf(folder: string, words: readonly string[] = forgottenBytes): string[] {
  const found: string[] = [];
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    const texts = [
      bytes.toString('latin1'),
      bytes.toString('utf16le'),
      bytes.subarray(1).toString('utf16le'),
    ];
    for (const word of words) {
      const lower = word.toLowerCase();
      if (texts.some((text) => text.toLowerCase().includes(lower))) found.push(`${name}: ${word}`);
    }
  }
  return found.sort();
}

/** People whose data must stay. */
export const others = [1, 2, 3].map((n) =>
  wholeRow(`H${n}`, { Email: `person${n}@example.com`, Phone: `+1201555011${n}` }),
);
const rejected = { ...forgottenRow, ID: 'F18', Stage: 'Zenobia stage' };
/** A scene with the person among others. */
export const forgetSite = {
  mapping: wholeMapping,
  rows: [...others, forgottenRow, rejected],
  settings: { extensions: attachTags, policy: { maxErrors: 100 } },
  seed: wholeSeed,
  extensions: { attachTags: true },
};

export const workOf = ({ path }: Scene) => join(path, 'work');

/** Runs a command in the work dir of a scene. */
export async function longshore(scene: Scene, ...args: readonly string[]) {
  return await run([...args, '--work-dir', workOf(scene)], { LONGSHORE_TOKEN: 'sandbox' });
}

/** Fills a work dir with every kind of record of the person. */
export async function fillWorkDir(scene: Scene): Promise<void> {
  const pipeline = join(scene.path, 'pipeline.yaml');
  scene.sandbox.scriptFault({ method: 'POST', path: '/contact/id:90/comment', kind: 'dropAfter' });
  const first = await scene.import('--metrics', join(scene.path, 'longshore.prom'));
  expect(first.rows).toMatchObject({ created: 3, uncertain: 1, rejected: 1 });
  const at = ['--workspace', scene.sandbox.baseUrl] as const;
  await edit(scene.sandbox, 90, { lastName: 'Quistgaard-Renamed' });
  expect(await longshore(scene, 'verify', ...at)).toMatchObject({ code: 3 });
  expect(await longshore(scene, 'verify', '--all', ...at)).toMatchObject({ code: 3 });
  // The local workspace of this work dir, of the same person.
  expect(await longshore(scene, 'import', pipeline, '--workspace', 'sandbox')).toMatchObject({ code: 3 });
  expect(await longshore(scene, 'retry', first.run, ...at)).toMatchObject({ code: 3 });
  // Without the person, who is listed as gone; then with the person again, planned, and stopped halfway.
  scene.writeRows(others);
  expect(await longshore(scene, 'import', pipeline, ...at)).toMatchObject({ code: 0 });
  const [row1 = forgottenRow] = others;
  scene.writeRows([
    { ...row1, Stage: 'None' },
    { ...row1, ID: 'H9', Stage: 'None' },
    { ...forgottenRow, City: 'Xanadu Hills' },
  ]);
  const plan = join(scene.path, 'plan.db');
  await longshore(scene, 'plan', pipeline, '--out', plan, ...at);
  writeFileSync(pipeline, readFileSync(pipeline, 'utf8').replace('"maxErrors":100', '"maxErrors":1'));
  expect(await longshore(scene, 'import', pipeline, '--plan', plan, ...at)).toMatchObject({ code: 4 });
}

/** The scene of `fillWorkDir`. */
export const everything = {
  ...forgetSite,
  rows: [...others, forgottenRow, rejected],
  settings: { ...forgetSite.settings, deferred: ['lifecycle'] },
  mapping: wholeMapping.replace('attach: extension', 'attach: file'),
  seed: {
    ...wholeSeed,
    contacts: [{ id: 90, firstName: 'Zenobia', email: 'zenobia.quist@example.com' }],
  },
};
