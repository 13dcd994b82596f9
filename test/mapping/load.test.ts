import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadMapping } from '../../src/mapping/index.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-mapping-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function written(name: string, content: string | Uint8Array): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

test('a mapping is loaded with the fingerprint of its bytes', async () => {
  const text = '\ufeffmapping: a\ncontact:\n  email: { from: E }\n';
  const loaded = await loadMapping(await written('good.yaml', text));
  expect(loaded.mapping.mapping).toBe('a');
  expect(loaded.mapping.identify).toEqual(['email', 'phone']);
  expect(loaded.fingerprint).toBe(createHash('sha256').update(text).digest('hex'));
  expect(loaded.mistake(['contact', 'email', 'from'], 'x')).toMatchObject({ line: 3, column: 12 });
});

test('a file that cannot be read says why', async () => {
  const missing = join(folder, 'missing.yaml');
  const empty = await written('empty.yaml', '');
  const latin = await written('latin.yaml', Buffer.from('mapping: caf\xe9\n', 'latin1'));
  const wide = await written('wide.yaml', Buffer.from('\ufeffmapping: a\n', 'utf16le'));
  const large = await written('large.yaml', Buffer.alloc(5 * 1024 * 1024, '#'));
  const expected: readonly (readonly [file: string, message: string])[] = [
    [missing, `There is no mapping at ${missing}.`],
    [join(empty, 'below.yaml'), `There is no mapping at ${join(empty, 'below.yaml')}.`],
    [folder, `${folder} is a directory; the mapping must be a YAML file.`],
    [empty, `The mapping ${empty} is empty.`],
    [latin, `The mapping ${latin} is not UTF-8 text; save it as UTF-8.`],
    [wide, `The mapping ${wide} is not UTF-8 text; save it as UTF-8.`],
    [large, `The mapping ${large} has 5242880 bytes; at most 4194304 are read.`],
  ];
  for (const [file, message] of expected) {
    await expect(loadMapping(file)).rejects.toMatchObject({ message, reason: 'usage', place: { file } });
  }
});
