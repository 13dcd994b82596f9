import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realImport } from '../app/import/real-import.ts';
import { edit } from '../app/verify/real-verify.ts';
import { run } from './in-process.ts';

const mapping = 'mapping: people\nkey: Id\ncontact: { firstName: { from: Name }, email: { from: Email } }\n';

it('verification.csv and undo-kept.csv have the delimiter and the byte order mark of the input', async () => {
  const real = await realImport(mapping, ['\uFEFFId;Name;Email', '1;Ann;ann@example.com']);
  const workDir = join(real.folder, 'work');
  const env = { LONGSHORE_TOKEN: 'sandbox', LONGSHORE_BASE_URL: real.sandbox.baseUrl };
  const type = (...words: readonly string[]) => run([...words, '--work-dir', workDir], env);
  expect(await type('import', real.pipelineFile)).toMatchObject({ code: 0 });
  const [id = ''] = readdirSync(join(workDir, 'runs'));
  const [contact] = real.sandbox.contacts();
  await edit(real, contact?.id ?? 0, { firstName: 'Bea' });
  expect(await type('verify', id)).toMatchObject({ code: 3 });
  expect(await type('undo', id, '--yes')).toMatchObject({ code: 3 });
  const texts = readdirSync(workDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?:verification|undo-kept)\.csv$/.test(name))
    .map((name) => readFileSync(join(workDir, name), 'utf8').split('\n', 1)[0])
    .sort();
  expect(texts).toEqual([
    '\uFEFF_line;_key;contactId;identifier;field;verdict;cause;written;found;before',
    '\uFEFFkind;contactId;identifier;_line;what;why;todo',
  ]);
});
