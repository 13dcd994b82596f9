import { describe, expect, it } from 'vitest';
import { loadImportPipeline } from '../../../src/pipeline/index.ts';
import { realImport } from './real-import.ts';

const mapping = `mapping: needed
key: Id
contact:
  firstName: { from: Name, default: Unknown }
  email: { from: Email }
customFields:
  Score: { from: Score, type: number, create: true }
  City: { from: City, type: text, create: true, empty: clear }
  Never: { from: Never, type: text, create: true }
tags: { from: Tags, split: ";", attach: file }
`;

const header = 'Id,Name,Email,Score,City,Never,Tags';
const bad = (n: number) => `${n},Bad,not an address ${n},7,Rome,x,wrong`;
const good = (n: number, rest = ',,,') => `${n},Good,good${n}@example.com,${rest}`;
const rows = (from: number, to: number, row: (n: number) => string) =>
  Array.from({ length: to - from }, (_, n) => row(from + n));

const field = (name: string) => `POST /space/custom_field ${name}`;
const tag = (name: string) => [`PUT /space/tag ${name}`, `POST /space/tag ${name}`];

describe('an import ensures only what rows need that the mapping takes', () => {
  it('nothing where its first rows all fail and the error budget stops it, and nothing when it is continued', async () => {
    const it = await realImport(mapping, [header, ...rows(0, 420, bad), good(900, '1,Oslo,,vip')]);
    const first = await it.import();
    expect([first.exitCode, first.error?.reason]).toEqual([4, 'budget']);
    expect(it.settings()).toEqual([]);
    const second = await it.import();
    expect([second.exitCode, second.run.id]).toEqual([4, first.run.id]);
    expect(it.settings()).toEqual([]);
    // The third session reaches the row that passes.
    expect((await it.import()).exitCode).toBe(3);
    expect(it.settings()).toEqual([field('Score'), field('City'), ...tag('vip')]);
    expect(it.sandbox.contacts()).toHaveLength(1);
  });

  it('neither a field whose cells are all empty, nor the fields and tags of rejected rows', async () => {
    const many = '1;2;3;4;5;6;7;8;9;10;11';
    const it = await realImport(mapping, [header, bad(0), good(1, '5,,,vip'), good(2, `,Rome,,${many}`)]);
    expect((await it.import()).exitCode).toBe(3);
    expect(it.settings()).toEqual([field('Score'), ...tag('vip')]);
  });

  it('only those of the rows within --limit, and the others when it continues without', async () => {
    const it = await realImport(mapping, [header, good(0, '5,,,one'), good(1, ',Oslo,,two')]);
    const first = await it.import({ limit: 1 });
    expect([first.exitCode, first.run.state]).toEqual([0, 'stopped']);
    expect(it.settings()).toEqual([field('Score'), ...tag('one')]);
    const second = await it.import();
    expect([second.exitCode, second.run.id, second.run.state]).toEqual([0, first.run.id, 'finished']);
    expect(it.settings()).toEqual([field('Score'), ...tag('one'), field('City'), ...tag('two')]);
  });

  it('what a retry needs once its row is right, and nothing while it is not', async () => {
    const it = await realImport(mapping, [header, bad(0), good(1)]);
    const first = await it.import();
    expect(first.exitCode).toBe(3);
    const selection = { kind: 'retry', run: first.run.id, resend: false } as const;
    expect((await it.import({ selection })).exitCode).toBe(3);
    expect(it.settings()).toEqual([]);
    it.write([header, good(0, '7,Rome,,right'), good(1)]);
    expect((await it.import({ selection, fresh: true })).exitCode).toBe(0);
    expect(it.settings()).toEqual([field('Score'), field('City'), ...tag('right')]);
  });

  it('nothing for a row that where leaves out', async () => {
    const it = await realImport(mapping, [header, good(0, '5,,,out'), good(1, ',,,')]);
    const loaded = await loadImportPipeline(it.pipelineFile);
    const { source } = loaded.import;
    const where = { ...source, options: { ...source.options, where: { Id: '1' } } };
    const end = await it.import({ pipeline: { ...loaded, import: { ...loaded.import, source: where } } });
    expect(end.exitCode).toBe(0);
    expect(it.settings()).toEqual([]);
  });

  it('creates no contact before a field that its row needs, wherever the budget lies', async () => {
    // The rows of one person wait for the last of them, so that nothing has ended when the errors come.
    const waiting = rows(0, 150, () => 'same,Good,same@example.com,,,,');
    const lines = [
      header,
      ...waiting,
      ...rows(200, 290, bad),
      ...rows(300, 420, (n) => good(n, '5,,,')),
      waiting[0] ?? '',
    ];
    const it = await realImport(mapping, lines);
    const end = await it.import();
    expect(end.exitCode).toBe(4);
    const codes = it.events
      .flatMap((event) => (event.kind === 'row' ? event.problems : []))
      .map(({ code }) => code);
    expect([...new Set(codes)]).toEqual(['email.invalid']);
  });
});

describe('a rehearsal', () => {
  const lines = [header, ...rows(0, 30, bad), ...rows(100, 400, (n) => good(n, '5,,,'))];

  it('is not stopped by the error budget: it says once that the real import would stop, and at the end where', async () => {
    const it = await realImport(mapping, lines);
    const end = await it.import({ target: 'sandbox' });
    expect([end.exitCode, end.run.state, end.error]).toEqual([3, 'finished', undefined]);
    expect(it.sandbox.contacts()).toHaveLength(300);
    const notes = it.events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
    expect(notes.filter((text) => text.includes('The real import would stop here'))).toHaveLength(1);
    expect(end.run.message).toBe(
      'The real import would stop at row 200: 30 of 200 rows were rejected or failed, more than policy.maxErrors: 5% allows.',
    );
  });

  it('says so also where an earlier session of the run met the errors', async () => {
    const it = await realImport(mapping, lines);
    const first = await it.import({ target: 'sandbox', limit: 250 });
    expect(first.run.message).toContain('stop at row 200');
    const second = await it.import({ target: 'sandbox' });
    expect([second.run.id, second.run.state]).toEqual([first.run.id, 'finished']);
    expect(second.run.message).toContain('stop at row 200');
  });

  it('says nothing where the real import would not stop', async () => {
    const it = await realImport(mapping, [header, bad(0), good(1)]);
    const end = await it.import({ target: 'sandbox' });
    expect([end.exitCode, end.run.message]).toEqual([3, null]);
  });

  it('is what it is about: the real import stops', async () => {
    const it = await realImport(mapping, lines);
    const end = await it.import();
    expect([end.exitCode, end.run.state]).toEqual([4, 'stopped']);
    expect(end.run.message).toBe(
      '30 of 200 rows were rejected or failed, more than policy.maxErrors: 5% allows.',
    );
  });
});
