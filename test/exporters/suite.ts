import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exporter } from '../../src/exporters/exporter.ts';
import type { ExportRecord } from '../../src/model/export-record.ts';
import { unescapeCsvFormula, unescapeSheetFormula } from '../../src/model/spreadsheet-guard.ts';
import { liveBytes } from '../live-bytes.ts';
import { isLong } from '../long.ts';
import type { Reader } from './readers/reader.ts';
import { nastyTexts, type Sample, sample, samples, text } from './records.ts';
import { folder, readBack, written } from './writing.ts';

/** The promises of every export format. */
export function exporterSuite(exporter: Exporter, reader: Reader): void {
  describe(`an export as ${exporter.name}`, () => {
    const expected = ({ table, cells }: Sample) =>
      cells.map((row) =>
        row.map((cell, index) => reader.shown(cell, table.columns[index]?.type ?? 'text', table)),
      );

    test.each(samples.map((sample) => [sample.table.kind, sample] as const))(
      '%s: every cell is found again by another reader',
      async (_, sample) => {
        const place = await written(exporter, [sample]);
        const { headings, rows } = await reader.read(place.folder, sample.table);
        expect(rows).toEqual(expected(sample));
        expect(place.files.map(({ rows }) => rows)).toEqual([sample.records.length]);
        if (headings === null) return;
        const names = sample.table.columns.map(({ name }) => name);
        const unguard = exporter.name === 'csv' ? unescapeCsvFormula : unescapeSheetFormula;
        expect(headings.map((heading) => unguard(heading).replace(/_2$/, ''))).toEqual(names);
      },
    );

    test('any text is found again', async () => {
      const columns = ['a', 'b'].map((name) => ({ name, type: 'text', path: [name] }) as const);
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(anyText, anyText), { minLength: 1, maxLength: 30 }),
          async (pairs) => {
            const made = sample(
              'templates',
              columns,
              pairs.map((pair) => pair.map(text)),
              (normal) => normal,
            );
            const place = await written(exporter, [made]);
            expect((await reader.read(place.folder, made.table)).rows).toEqual(expected(made));
          },
        ),
        { numRuns: 15 },
      );
    });

    test('all kinds together are whole, and every file is told of and private', async () => {
      const place = await written(exporter, samples);
      for (const sample of samples) {
        expect((await reader.read(place.folder, sample.table)).rows).toEqual(expected(sample));
      }
      expect(place.files.map(({ kind }) => kind)).toEqual(samples.map(({ table }) => table.kind));
      const names = readdirSync(place.folder).sort();
      expect([...new Set(place.files.map(({ name }) => name))].sort()).toEqual(names);
      for (const name of names) expect(statSync(join(place.folder, name)).mode & 0o777).toBe(0o600);
    });

    test('a kind without a record has its file and its header', async () => {
      const empty = samples.map(({ table }) => ({ table, records: [] }));
      const place = await written(exporter, empty);
      expect(place.files.map(({ rows }) => rows)).toEqual(samples.map(() => 0));
      for (const { table } of samples) {
        const { headings, rows } = await reader.read(place.folder, table);
        expect(rows).toEqual([]);
        if (headings !== null) expect(headings).toHaveLength(table.columns.length);
      }
    });

    test('a long text is there, whole or said to be cut', async () => {
      const [sample] = samples;
      const [record] = sample?.records ?? [];
      if (sample === undefined || record === undefined) throw new Error('no sample');
      const long = '😀 line\n"x"'.repeat(4_000);
      const normal = { ...record.normal, firstName: long };
      const place = await written(exporter, [{ table: sample.table, records: [{ ...record, normal }] }]);
      const [row] = (await reader.read(place.folder, sample.table)).rows;
      const found = String(row?.[1]);
      if (found.length === long.length) expect(found).toBe(long);
      else {
        const [kept = '', note = ''] = found.split(' … [');
        expect(long.startsWith(kept)).toBe(true);
        expect(kept.length).toBeGreaterThan(32_000);
        expect(note).toContain(`${long.length} characters`);
      }
    });

    test.runIf(exporter.lossless)('gives back what was written, in its order', async () => {
      const place = await written(exporter, samples);
      for (const { table, records } of samples) {
        const file = place.files.find(({ kind }) => kind === table.kind)?.name ?? '';
        const read = await readBack(exporter, join(place.folder, file), table.kind);
        expect(read).toEqual(records.map(({ normal, given }) => ({ ...normal, given })));
      }
    });

    test.runIf(exporter.lossless)('gives back any record', async () => {
      // JSON knows no -0.
      const json = fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
      const object = fc.dictionary(anyText, json, { maxKeys: 4 });
      const part = fc.record({
        tags: json,
        customFields: object,
        assignee: object,
        message: object,
      });
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(object, part, object), { maxLength: 12 }), async (found) => {
          const records = found.map(([rest, parts, given], index) => ({
            normal: { ...rest, ...parts, id: index, contactId: 7 },
            given,
          }));
          for (const { table } of samples.slice(0, 3)) {
            const place = await written(exporter, [{ table, records }]);
            const [file] = place.files;
            const read = await readBack(exporter, join(place.folder, file?.name ?? ''), table.kind);
            expect(read).toEqual(records.map(({ normal, given }) => ({ ...normal, given })));
          }
        }),
        { numRuns: 10 },
      );
    });

    test('a failure leaves nothing open, and a file that is there already is not written over', async () => {
      const place = folder();
      const tables = samples.map(({ table }) => table);
      const request = { folder: place, tables, options: {} };
      const writer = await exporter.open(request);
      await writer.write('contacts', samples[0]?.records ?? []);
      await writer.abandon();
      await expect(exporter.open(request)).rejects.toThrow('EEXIST');
      const open = readdirSync('/proc/self/fd').length;
      for (let time = 0; time < 3; time += 1) await expect(exporter.open(request)).rejects.toThrow('EEXIST');
      if (existsSync('/proc/self/fd')) expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(open);
    });

    test('every option has a description, and an unknown one is refused', async () => {
      for (const option of Object.values(exporter.options.shape)) {
        expect(option).toMatchObject({ description: expect.any(String) });
      }
      const request = { folder: folder(), tables: [], options: { nonsense: 1 } };
      await expect(exporter.open(request)).rejects.toThrow('nonsense');
    });

    test.runIf(isLong)('memory does not grow with the records', async () => {
      const [sample] = samples;
      if (sample === undefined) throw new Error('no sample');
      const writer = await exporter.open({ folder: folder(), tables: [sample.table], options: {} });
      const heap: number[] = [];
      for (let from = 0; from < 60_000; from += 500) {
        // Where groups of rows wait for each other, they wait there.
        if (from % 20_000 === 0) heap.push(liveBytes());
        await writer.write('contacts', people(from, 500));
      }
      heap.push(liveBytes());
      await writer.finish();
      // The 20,000 records between two looks would be more than 12 MB if they stayed, as text; a buffer may wait for its collection.
      expect(Math.min(...heap.slice(2)) - (heap[1] ?? 0)).toBeLessThan(8e6);
    });
  });
}

/** Any units of UTF-16, lone surrogates among them, and texts that are often read wrongly. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.array(fc.nat(0xffff), { maxLength: 6 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(...nastyTexts),
);

function people(from: number, count: number): readonly ExportRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const id = from + index + 1;
    const email = `contact${id}@example.com`;
    const note = `${id}`.repeat(80);
    const normal = { id, firstName: note, email, tags: ['vip'], customFields: { Plan: `gold ${id}` } };
    return { normal, given: { id, email, custom_fields: [{ name: 'Plan', value: `gold ${id}` }] } };
  });
}
