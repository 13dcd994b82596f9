import { utimesSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Row, SourceItem } from '../../src/model/row.ts';
import { formatRowPlace } from '../../src/model/row-place.ts';
import type { SourceFormat } from '../../src/sources/registry.ts';
import { liveBytes } from '../live-bytes.ts';
import { isLong } from '../long.ts';
import { tarGz, zip } from './archive/packing.ts';
import type { Builder, Person } from './builders/builder.ts';
import { cutReading, file, folder, itemsFrom, never, open, readingOf, refusal } from './reading.ts';

function* people(count: number): Generator<Person> {
  for (let n = 0; n < count; n += 1)
    yield { id: `p${n}`, name: `Zoë ${n}`, note: n % 3 === 0 ? '' : 'a, "b"; c\nd' };
}

function plain(items: readonly SourceItem[]): unknown {
  return items.map((item) => (item.kind === 'row' ? [item.line, item.entries()] : item));
}

/** The promises of every input format. */
export function sourceSuite(format: SourceFormat, builder: Builder): void {
  const name = `people.${builder.extension}`;
  const at = (content: Buffer, options: object = {}, as = name) =>
    open(file(content, as), { ...builder.options, ...options }, format.name);
  const built = async (count: number) => Buffer.from(await builder.build(people(count)));
  const personOf = (row: Row): Person => ({
    id: row.cell(builder.columns.id) ?? '',
    name: row.cell(builder.columns.name) ?? '',
    note: row.cell(builder.columns.note) ?? '',
  });

  describe(`a source of ${format.name}`, () => {
    test('every option has a description, and an unknown one is refused', () => {
      for (const [option, schema] of Object.entries(format.options.shape)) {
        expect(schema.description ?? optionDescription(schema), option).toBeTruthy();
      }
      const options = { ...builder.options, nosuch: 1 };
      expect(() => format.open(options, { path: '/x', spoolDir: '/y' })).toThrow();
      expect(Object.keys(format.options.shape)).not.toContain('path');
    });

    test('gives rows with their cells by column, and what an object has by nature is no column', async () => {
      const { facts, rows } = await readingOf(at(await built(3)));
      expect(rows.map(personOf)).toEqual([...people(3)]);
      for (const column of Object.values(builder.columns)) {
        if (facts.columns !== null) expect(facts.columns).toContain(column);
      }
      const [row] = rows;
      expect(row?.cell('constructor')).toBeUndefined();
      expect(row?.entries().map(([column]) => row.cell(column))).toEqual(
        row?.entries().map(([, cell]) => cell),
      );
    });

    test('says of each row where its record stands', async () => {
      const { rows } = await readingOf(at(await built(40)));
      expect(rows.map(({ line }) => line)).toEqual(builder.lines([...people(40)]));
    });

    const { inOneLine } = builder;
    test.skipIf(inOneLine === null)('records of one line have places of their own', async () => {
      if (inOneLine === null) return;
      const content = inOneLine([...people(600)]);
      const items = await itemsFrom(at(content));
      expect(new Set(items.map(formatRowPlace)).size).toBe(600);
      expect(plain(await itemsFrom(at(content), 300))).toEqual(plain(items.slice(300)));
      const where = { [builder.columns.name]: { not: 'Zoë 1' } };
      expect((await itemsFrom(at(content, { where }))).map(({ line }) => line)).toEqual(
        items.map(({ line }) => line),
      );
    });

    test('counts its items beforehand and gives the same ones every time, in batches', async () => {
      const source = at(await built(600));
      expect((await source.inspect(never)).items).toBe(600);
      const first = await itemsFrom(source);
      expect(plain(await itemsFrom(source))).toEqual(plain(first));
      for await (const batch of source.read(0, never)) expect(batch.length).toBeLessThanOrEqual(256);
    });

    test.each([0, 1, 255, 256, 599, 600, 601])('goes on at item %i', async (from) => {
      const content = await built(600);
      const all = await itemsFrom(at(content));
      expect(all).toHaveLength(600);
      expect(plain(await itemsFrom(at(content), from))).toEqual(plain(all.slice(from)));
    });

    test('goes on at an item behind megabytes of others', async () => {
      const source = at(await built(30_000));
      const ids = (await itemsFrom(source, 29_000)).map((item) => item.kind === 'row' && personOf(item).id);
      expect([ids.length, ids[0], ids.at(-1)]).toEqual([1000, 'p29000', 'p29999']);
    });

    const { broken: spoiled } = builder;
    test.skipIf(spoiled === null)(
      'a record that cannot be read is a broken row with its raw text',
      async () => {
        const [before, , after] = [...people(3)];
        if (spoiled === null || before === undefined || after === undefined) return;
        const source = at(Buffer.from(await spoiled.build(before, after)));
        const { rows, broken } = await readingOf(source);
        expect(rows.map(personOf)).toEqual([before, after]);
        expect(broken.map(({ problem }) => problem.code)).toEqual([spoiled.code]);
        expect(broken[0]?.raw).not.toBe('');
        expect(broken[0]?.line).toBeGreaterThan(rows[0]?.line ?? 0);
        expect(broken[0]?.line).toBeLessThan(rows[1]?.line ?? 0);
        expect((await itemsFrom(source)).map(({ kind }) => kind)).toEqual(['row', 'broken', 'row']);
      },
    );

    test('rows that "where" leaves out keep their place, and are counted', async () => {
      const content = await built(5);
      const { name: column, note } = builder.columns;
      const where = { [column]: ['Zoë 1', 'Zoë 2', 'Zoë 3'], [note]: { not: null } };
      const source = at(content, { where });
      const facts = await source.inspect(never);
      expect(facts.items).toBe(5);
      const items = await itemsFrom(source);
      expect(items.map(({ kind }) => kind)).toEqual(['filtered', 'row', 'row', 'filtered', 'filtered']);
      expect(items.map(({ line }) => line)).toEqual(builder.lines([...people(5)]));
      expect(plain(await itemsFrom(source, 2))).toEqual(plain(items.slice(2)));
      expect((await at(content).inspect(never)).fingerprint).not.toBe(facts.fingerprint);
    });

    test('a column that "where" asks for and is not there is refused', async () => {
      const source = at(await built(2), { where: { Deleted: 0 } });
      if ((await at(await built(2)).inspect(never)).columns === null) return;
      expect((await refusal(source.inspect(never))).message).toContain(
        'has no column "Deleted", which "where" uses',
      );
    });

    test('the fingerprint is of the bytes, wherever they lie and however they are packed', async () => {
      const content = await built(5);
      const { fingerprint } = await at(content).inspect(never);
      expect((await at(content).inspect(never)).fingerprint).toBe(fingerprint);
      expect((await at(gzipSync(content), {}, `${name}.gz`).inspect(never)).fingerprint).toBe(fingerprint);
      expect((await at(await built(6)).inspect(never)).fingerprint).not.toBe(fingerprint);
    });

    test('an abort ends the reading with its reason, and a consumer may stop early', async () => {
      const source = at(await built(700));
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
      const path = file(await built(5), name);
      const source = open(path, builder.options, format.name);
      await source.inspect(never);
      utimesSync(path, 1, 1);
      const error = await refusal(itemsFrom(source));
      expect(error.reason).toBe('input');
      expect(error.message).toContain('changed');
    });

    test.each([
      ['a missing file', () => `${folder()}/nosuch.csv`, 'does not exist'],
      ['a directory', () => folder(), builder.folders === true ? 'it is empty' : 'is a directory'],
      ['an empty file', () => file('', name), 'is empty'],
    ])('%s is refused with what to do', async (_, path, words) => {
      const error = await refusal(open(path(), builder.options, format.name).inspect(never));
      expect(error.reason).toBe('input');
      expect(error.message).toContain(words);
      expect(error.next).toBeTruthy();
    });

    test.runIf(isLong)('memory does not grow with the input', async () => {
      const source = at(await built(30_000));
      const heap: number[] = [];
      let count = 0;
      for await (const batch of source.read(0, never)) {
        const before = count;
        count += batch.length;
        if (Math.floor(before / 10_000) < Math.floor((count - 1) / 10_000)) heap.push(liveBytes());
      }
      expect(count).toBe(30_000);
      // The 10,000 rows between two looks would be some 4 MB if they stayed.
      expect((heap.at(-1) ?? 0) - (heap[0] ?? 0)).toBeLessThan(2e6);
    });

    describe('packed', () => {
      test.each([
        ['gz', (content: Buffer) => gzipSync(content)],
        [
          'zip',
          (content: Buffer) => zip({ name: 'export/', content: '' }, { name: `export/${name}`, content }),
        ],
        ['tar.gz', (content: Buffer) => tarGz({ name, content })],
      ])('in a %s it is read as if it were plain, also from a row on', async (_, pack) => {
        const content = await built(300);
        const plainly = await readingOf(at(content));
        // Known by its bytes: the name says nothing.
        const source = at(pack(content), {}, 'export');
        const packed = await readingOf(source);
        expect(plain(packed.rows)).toEqual(plain(plainly.rows));
        expect({ ...packed.facts, name: '' }).toEqual({ ...plainly.facts, name: '' });
        expect(plain(await itemsFrom(source, 299))).toEqual(plain(plainly.rows.slice(299)));
      });

      test('a gz that was cut off is refused', async () => {
        const packed = gzipSync(await built(300));
        const error = await refusal(at(packed.subarray(0, packed.length / 2)).inspect(never));
        expect(error.reason).toBe('input');
        expect(error.place?.file).toBeTruthy();
      });
    });

    describe('cut off in the middle', () => {
      test.each([0, 1, 2])('is an error or a rejected row, never silence (cut %i)', async (index) => {
        const whole = await built(60);
        const cuts = builder.cuts?.(whole) ?? [whole.length / 3, (whole.length * 2) / 3, whole.length - 1];
        const cut = cuts[index];
        if (cut === undefined) return;
        const found = await cutReading(at(whole.subarray(0, Math.floor(cut))));
        if (found.kind === 'refused') {
          expect(found.error.reason).toBe('input');
          expect(found.error.place?.file).toBeTruthy();
          expect(found.error.next).toBeTruthy();
        } else {
          expect(found.broken.length).toBeGreaterThan(0);
          const sound = found.rows.map(personOf);
          expect(sound).toEqual([...people(60)].slice(0, sound.length));
        }
      });
    });

    encodingSuite(builder, at);
  });
}

/** Every encoding that the format leaves open gives the same cells, and what breaks it is a row. */
function encodingSuite(builder: Builder, at: (content: Buffer, options?: object) => ReturnType<typeof open>) {
  const some = [...people(4)];
  const text = async () => Buffer.from(await builder.build(some)).toString();
  const names = async (content: Buffer, options?: object) =>
    (await readingOf(at(content, options))).rows.map((row) => row.cell(builder.columns.name));

  describe.runIf(builder.encodings.length > 0)('encodings', () => {
    test.runIf(builder.encodings.includes('utf-8'))('a mark of UTF-8 is no part of the data', async () => {
      expect(await names(Buffer.from(`\ufeff${await text()}`))).toEqual(some.map(({ name }) => name));
    });

    test.runIf(builder.encodings.includes('utf-8'))('bytes that break UTF-8 are a broken row', async () => {
      const bytes = Buffer.from(await text());
      bytes[bytes.indexOf('ë', bytes.indexOf('Zoë 1')) + 1] = 0x41;
      const { rows, broken } = await readingOf(at(bytes));
      expect(rows.map((row) => row.cell(builder.columns.id))).toEqual(['p0', 'p2', 'p3']);
      expect(broken).toMatchObject([{ problem: { code: 'row.encoding' } }]);
      expect(broken[0]?.raw).toContain('\\xC3');
    });

    test.runIf(builder.encodings.includes('utf-16'))(
      'UTF-16 shows by its mark, in either order',
      async () => {
        const little = Buffer.from(`\ufeff${await text()}`, 'utf16le');
        expect(await names(little)).toEqual(some.map(({ name }) => name));
        expect(await names(Buffer.from(little).swap16())).toEqual(some.map(({ name }) => name));
      },
    );

    test.runIf(builder.encodings.includes('windows-1252'))('another encoding can be stated', async () => {
      const bytes = Buffer.from(await text(), 'latin1');
      expect(await names(bytes, { encoding: 'windows-1252' })).toEqual(some.map(({ name }) => name));
    });
  });
}

function optionDescription(option: unknown): unknown {
  const inner =
    option !== null && typeof option === 'object' && 'unwrap' in option ? option.unwrap : undefined;
  return typeof inner === 'function' ? inner.call(option).description : undefined;
}
