import { utimesSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { SourceItem } from '../../src/model/row.ts';
import type { SourceFormat } from '../../src/sources/registry.ts';
import { file, folder, itemsFrom, never, open, reading, refusal } from './reading.ts';

/** How a format is written, so that the shared suite can make files of it. */
export interface Specimen {
  /** The bytes of a file with these columns and rows. */
  write(columns: readonly string[], rows: Iterable<readonly string[]>): Buffer;
  /** The same with one record in the middle that cannot be read, and its code. */
  writeBroken(columns: readonly string[], before: readonly string[], after: readonly string[]): Buffer;
  readonly brokenCode: string;
}

const columns = ['name', '', '__proto__'];

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

function usedHeap(): number {
  if (typeof collectGarbage === 'function') collectGarbage();
  return process.memoryUsage().heapUsed;
}

function* people(count: number): Generator<readonly string[]> {
  for (let n = 0; n < count; n += 1) yield [`Zoë ${n}`, n % 3 === 0 ? '' : 'a, "b"; c\nd', `p${n}`];
}

function plain(items: readonly SourceItem[]): unknown {
  return items.map((item) => (item.kind === 'row' ? [item.line, item.entries()] : item));
}

/** What every input format keeps, whatever it looks like. */
export function sourceSuite(format: SourceFormat, specimen: Specimen): void {
  const at = (content: Buffer) => open(file(content), {}, format.name);

  describe(`a source of ${format.name}`, () => {
    test('every option has a description, and an unknown one is refused', () => {
      for (const [name, option] of Object.entries(format.options.shape)) {
        expect(option.description ?? optionDescription(option), name).toBeTruthy();
      }
      expect(() => format.open({ nosuch: 1 }, { path: '/x', spoolDir: '/y' })).toThrow();
      expect(Object.keys(format.options.shape)).not.toContain('path');
    });

    test('gives rows with their cells by column, any column name being legal', async () => {
      const { facts, rows } = await reading(specimen.write(columns, people(3)), {}, format.name);
      expect(facts.columns).toEqual(columns);
      expect(rows.map((row) => row.cell('__proto__'))).toEqual(['p0', 'p1', 'p2']);
      expect(rows[1]?.cell('')).toBe('a, "b"; c\nd');
      expect(rows[1]?.cell('constructor')).toBeUndefined();
      expect(rows[0]?.entries()).toEqual([
        ['name', 'Zoë 0'],
        ['', ''],
        ['__proto__', 'p0'],
      ]);
    });

    test('counts its items beforehand and gives the same ones every time, in batches', async () => {
      const source = at(specimen.write(columns, people(600)));
      expect((await source.inspect(never)).items).toBe(600);
      const first = await itemsFrom(source);
      expect(plain(await itemsFrom(source))).toEqual(plain(first));
      for await (const batch of source.read(0, never)) expect(batch.length).toBeLessThanOrEqual(256);
    });

    test.each([0, 1, 255, 256, 599, 600, 601])('goes on at item %i', async (from) => {
      const content = specimen.write(columns, people(600));
      const source = at(content);
      const all = await itemsFrom(source);
      expect(plain(await itemsFrom(at(content), from))).toEqual(plain(all.slice(from)));
    });

    test('a record that cannot be read is a broken row with its raw text, and its neighbours stay', async () => {
      const content = specimen.writeBroken(columns, ['before', '', '1'], ['after', '', '2']);
      const { rows, broken } = await reading(content, {}, format.name);
      expect(rows.map((row) => row.cell('name'))).toEqual(['before', 'after']);
      expect(broken.map(({ problem }) => problem.code)).toEqual([specimen.brokenCode]);
      expect(broken[0]?.raw).not.toBe('');
      expect(broken[0]?.line).toBeGreaterThan(rows[0]?.line ?? 0);
    });

    test('the fingerprint is of the bytes and of the options that change the reading', async () => {
      const content = specimen.write(columns, people(5));
      const { fingerprint } = await at(content).inspect(never);
      expect((await at(content).inspect(never)).fingerprint).toBe(fingerprint);
      expect((await at(specimen.write(columns, people(6))).inspect(never)).fingerprint).not.toBe(fingerprint);
    });

    test('an abort ends the reading with its reason, and a consumer may stop early', async () => {
      const source = at(specimen.write(columns, people(700)));
      const stop = new AbortController();
      const reason = new Error('enough');
      const seen: number[] = [];
      await expect(async () => {
        for await (const batch of source.read(0, stop.signal)) {
          seen.push(batch.length);
          stop.abort(reason);
        }
      }).rejects.toBe(reason);
      expect(seen).toHaveLength(1);
      for await (const batch of source.read(0, never)) if (batch.length > 0) break;
      await expect(source.inspect(stop.signal)).rejects.toBe(reason);
    });

    test('a file that changed since it was inspected is refused', async () => {
      const path = file(specimen.write(columns, people(5)));
      const source = open(path, {}, format.name);
      await source.inspect(never);
      utimesSync(path, 1, 1);
      const error = await refusal(itemsFrom(source));
      expect(error.reason).toBe('input');
      expect(error.message).toContain('changed');
    });

    test.each([
      ['a missing file', () => `${folder()}/nosuch.csv`, 'does not exist'],
      ['a directory', () => folder(), 'is a directory'],
      ['an empty file', () => file(''), 'is empty'],
    ])('%s is refused with what to do', async (_, path, words) => {
      const error = await refusal(open(path(), {}, format.name).inspect(never));
      expect(error.reason).toBe('input');
      expect(error.message).toContain(words);
      expect(error.next).toBeTruthy();
    });

    test('memory does not grow with the input', async () => {
      const source = at(specimen.write(columns, people(30_000)));
      const heap: number[] = [];
      let count = 0;
      for await (const batch of source.read(0, never)) {
        const before = count;
        count += batch.length;
        if (Math.floor(before / 10_000) < Math.floor((count - 1) / 10_000)) heap.push(usedHeap());
      }
      expect(count).toBe(30_000);
      // The 10,000 rows between two looks would be some 4 MB if they stayed.
      expect((heap.at(-1) ?? 0) - (heap[0] ?? 0)).toBeLessThan(2e6);
    });
  });
}

function optionDescription(option: unknown): unknown {
  const inner =
    option !== null && typeof option === 'object' && 'unwrap' in option ? option.unwrap : undefined;
  return typeof inner === 'function' ? inner.call(option).description : undefined;
}
