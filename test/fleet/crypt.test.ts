import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readFleetKey } from '../../src/fleet/crypt/key.ts';
import { seal, unseal } from '../../src/fleet/crypt/seal.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const bytes = randomBytes(32);
const key = readFleetKey({ LONGSHORE_FLEET_KEY: bytes.toString('base64') });
const place = ['frames', 'acme', 3, 7] as const;
const plain = Buffer.from('Ada Lovelace, ada@example.com '.repeat(100));

describe('what is sealed', () => {
  it('opens in its place, is smaller, and says nothing', async () => {
    const sealed = await seal(key, place, plain);
    expect((await unseal(key, place, sealed)).equals(plain)).toBe(true);
    expect(sealed.length).toBeLessThan(plain.length / 5);
    expect(sealed.includes('Ada')).toBe(false);
  });

  it('is different each time', async () => {
    const [one, other] = await Promise.all([seal(key, place, plain), seal(key, place, plain)]);
    expect(one.equals(other)).toBe(false);
  });

  it.each([
    ['another position', ['frames', 'acme', 3, 8]],
    ['another generation', ['frames', 'acme', 4, 7]],
    ['another workspace', ['frames', 'other', 3, 7]],
    ['another kind', ['base', 'acme', 3, 7]],
  ])('does not open in %s', async (_, elsewhere) => {
    const sealed = await seal(key, place, plain);
    await expect(unseal(key, elsewhere, sealed)).rejects.toThrow('is damaged in the database, cut off');
  });

  it('together with bytes beside it opens with those alone, and never as if there were none', async () => {
    const beside = Buffer.from('how far');
    const sealed = await seal(key, place, plain, beside);
    await expect(unseal(key, place, sealed, beside)).resolves.toEqual(plain);
    for (const other of [Buffer.from('how fat'), Buffer.alloc(0), undefined])
      await expect(unseal(key, place, sealed, other)).rejects.toThrow('is damaged in the database');
    sealed[0] = 1;
    await expect(unseal(key, place, sealed, beside)).rejects.toThrow('is damaged in the database');
  });

  it('does not open where a byte of it is missing or changed', async () => {
    const sealed = await seal(key, place, plain);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(unseal(key, place, changed), `byte ${at}`).rejects.toThrow();
    }
    for (const length of [0, 5, 36, sealed.length - 1])
      await expect(unseal(key, place, sealed.subarray(0, length))).rejects.toThrow('cut off');
  });

  it('does not open with another key, and says that it is the key', async () => {
    const sealed = await seal(key, place, plain);
    const other = readFleetKey({ LONGSHORE_FLEET_KEY: randomBytes(32).toString('base64') });
    await expect(unseal(other, place, sealed)).rejects.toMatchObject({
      reason: 'usage',
      message:
        'frames 3/7 of workspace acme was encrypted with another key than that of LONGSHORE_FLEET_KEY.',
    });
  });
});

describe('the key', () => {
  it('is the same in base64, hexadecimal, and in a file', async () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const file = join(folder.path, 'key');
    writeFileSync(file, `${bytes.toString('base64')}\n`);
    const sealed = await seal(key, place, plain);
    for (const env of [{ LONGSHORE_FLEET_KEY: bytes.toString('hex') }, { LONGSHORE_FLEET_KEY_FILE: file }])
      await expect(unseal(readFleetKey(env), place, sealed)).resolves.toEqual(plain);
  });

  it.each([
    ['is not set', {}, 'LONGSHORE_FLEET_KEY is not set'],
    ['is too short', { LONGSHORE_FLEET_KEY: randomBytes(16).toString('base64') }, 'is not 32 bytes'],
    ['is a word', { LONGSHORE_FLEET_KEY: 'correct horse' }, 'is not 32 bytes'],
    ['is in no file', { LONGSHORE_FLEET_KEY_FILE: '/nowhere/key' }, 'cannot be read'],
  ])('that %s is refused with the command that makes one', (_, env, message) => {
    expect(() => readFleetKey(env)).toThrow(
      expect.objectContaining({
        reason: 'usage',
        message: expect.stringContaining(message),
        next: expect.stringContaining('openssl rand -base64 32'),
      }),
    );
  });
});
