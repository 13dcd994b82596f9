import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ContactSnapshot, takeContactSnapshot } from '../../src/identity/snapshot.ts';
import type { Contact } from '../../src/model/contact.ts';
import type { Identifier } from '../../src/model/identifier.ts';
import { contact } from './contact.ts';

let dir: string;
let path: string;
const open: ContactSnapshot[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'longshore-snapshot-'));
  path = join(dir, 'snapshot', 'contacts.db');
});

afterEach(() => {
  for (const snapshot of open.splice(0)) snapshot.close();
  rmSync(dir, { recursive: true });
});

/** Pages of a list, which say how many of them were asked for and whether the list was let go. */
class List {
  asked = 0;
  letGo = false;
  readonly #pages: readonly (readonly Contact[])[];

  constructor(pages: readonly (readonly Contact[])[]) {
    this.#pages = pages;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Contact[]> {
    try {
      for (const page of this.#pages) {
        this.asked += 1;
        yield await Promise.resolve(page);
      }
    } finally {
      this.letGo = true;
    }
  }
}

async function taken(pages: readonly (readonly Contact[])[]): Promise<ContactSnapshot> {
  const result = await takeContactSnapshot(path, new List(pages), { mostPages: 100 });
  if (result.kind !== 'taken') throw new Error('too large');
  open.push(result.snapshot);
  return result.snapshot;
}

const email = (value: string): Identifier => ({ kind: 'email', value });
const phone = (value: string): Identifier => ({ kind: 'phone', value });

describe('a snapshot of the contact list', () => {
  it('finds all contacts of an e-mail and of a phone', async () => {
    const snapshot = await taken([
      [contact(3, { email: 'ada@x.test', phone: '+60123' }), contact(1, { email: 'ada@x.test' })],
      [contact(2, { phone: '+60123' }), contact(4, { email: 'bob@x.test' }), contact(5)],
    ]);
    expect(snapshot.count).toBe(5);
    expect(snapshot.idsUnder(email('ada@x.test'))).toEqual([1, 3]);
    expect(snapshot.idsUnder(phone('+60123'))).toEqual([2, 3]);
    expect(snapshot.idsUnder(phone('+60123'), 1)).toEqual([2]);
    expect(snapshot.idsUnder(email('bob@x.test'))).toEqual([4]);
    expect(snapshot.idsUnder(email('carol@x.test'))).toEqual([]);
    expect(snapshot.idsUnder(phone('+60124'))).toEqual([]);
    expect(snapshot.idsUnder(email(''))).toEqual([]);
    expect(snapshot.idsUnder(phone(''))).toEqual([]);
  });

  it('finds nobody in an empty workspace', async () => {
    const snapshot = await taken([[]]);
    expect(snapshot.idsUnder(email('ada@x.test'))).toEqual([]);
    expect(snapshot.isSharedPhone('+60123', 0)).toBe(false);
  });

  it('compares an e-mail trimmed and in lower case, a phone by its digits', async () => {
    const snapshot = await taken([
      [contact(1, { email: ' Ada@X.test ', phone: '0060 12-3' }), contact(2, { phone: '60123' })],
    ]);
    expect(snapshot.idsUnder(email('ada@x.TEST'))).toEqual([1]);
    expect(snapshot.idsUnder(phone('+60123'))).toEqual([1, 2]);
  });

  it('counts a contact once that shows twice, as it was seen last', async () => {
    const before = contact(1, { email: 'old@x.test' });
    const snapshot = await taken([[before, contact(2)], [contact(1, { email: 'new@x.test' })]]);
    expect(snapshot.count).toBe(2);
    expect(snapshot.idsUnder(email('old@x.test'))).toEqual([]);
    expect(snapshot.idsUnder(email('new@x.test'))).toEqual([1]);
    expect(snapshot.duplicates()).toBe(0);
  });

  it('counts the identifiers that lead to several contacts', async () => {
    const snapshot = await taken([
      [1, 2, 3].map((id) => contact(id, { email: 'a@x.test', phone: `+60${id}` })),
      [4, 5].map((id) => contact(id, { phone: '+601' })),
    ]);
    expect(snapshot.duplicates()).toBe(2);
  });

  it('knows the phones that many share', async () => {
    // More than a page of them, each shared by as many contacts as its number ends in.
    const shares = Array.from({ length: 1_300 }, (_, n) => ({ phone: `+60${10_000 + n}`, by: (n % 3) + 1 }));
    const phones = shares.flatMap(({ phone, by }) => Array.from({ length: by }, () => phone));
    const snapshot = await taken([phones.map((phone, n) => contact(n + 1, { phone }))]);
    const shared = shares.filter(({ by }) => by > 2).map(({ phone }) => phone);
    expect([...snapshot.sharedPhones(2)]).toEqual(shared);
    expect(shared.length).toBeLessThan(500);
    expect([...snapshot.sharedPhones(1)]).toHaveLength(866);
    expect(snapshot.isSharedPhone('+60 10002', 2)).toBe(true);
    expect(snapshot.isSharedPhone('+6010001', 2)).toBe(false);
    expect(snapshot.isSharedPhone('+6099', 0)).toBe(false);
    for (const value of snapshot.sharedPhones(2)) expect(snapshot.idsUnder(phone(value))).toHaveLength(3);
  });
});

describe('a list that goes on too long', () => {
  const pages = [1, 2, 3, 4, 5].map((n) => [contact(2 * n), contact(2 * n + 1)]);

  it('is given up, is let go, and leaves nothing behind', async () => {
    const list = new List(pages);
    expect(await takeContactSnapshot(path, list, { mostPages: 3 })).toEqual({
      kind: 'tooLarge',
      contactsSeen: 8,
    });
    expect(list).toMatchObject({ asked: 4, letGo: true });
    expect(readdirSync(join(dir, 'snapshot'))).toEqual([]);
  });

  it('is not one that has just as many pages', async () => {
    const result = await takeContactSnapshot(path, new List(pages), { mostPages: 5 });
    expect(result).toMatchObject({ kind: 'taken', snapshot: { count: 10 } });
    if (result.kind === 'taken') open.push(result.snapshot);
  });

  it('or one that breaks off leaves nothing behind', async () => {
    async function* broken() {
      yield await Promise.resolve([contact(1)]);
      throw new Error('the list broke off');
    }
    await expect(takeContactSnapshot(path, broken(), { mostPages: 5 })).rejects.toThrow('the list broke off');
    expect(readdirSync(join(dir, 'snapshot'))).toEqual([]);
  });
});

describe('the file of a snapshot', () => {
  it('takes the place of what stands there, is for nobody else to read, and goes when it is closed', async () => {
    await taken([[contact(1, { email: 'a@x.test' })]]).then((snapshot) => snapshot.close());
    open.splice(0);
    writeFileSync(path, 'left behind', { mode: 0o644 });
    const snapshot = await taken([[contact(2)]]);
    expect(snapshot.count).toBe(1);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, 'snapshot')).mode & 0o777).toBe(0o700);
    open.splice(0);
    snapshot.close();
    expect(existsSync(path)).toBe(false);
  });
});
