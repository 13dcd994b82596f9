import { describe, expect, it, onTestFinished } from 'vitest';
import type { AnswerListDecisions } from '../../../src/app/import/approvals.ts';
import { prepareLookupSnapshot } from '../../../src/app/import/lookup-strategy.ts';
import { hashValue } from '../../../src/app/import/person/memory.ts';
import { prepareImport } from '../../../src/app/import/prepare.ts';
import type { ImportRequest } from '../../../src/app/import/request.ts';
import { openRunJournal } from '../../../src/journal/index.ts';
import { FatalError } from '../../../src/model/fatal-error.ts';
import type { TransportRequest, TransportResponse } from '../../../src/model/ports.ts';
import { ended } from '../../journal/work-dir.ts';
import { answer, emptyPage } from '../../workspace/open.ts';
import { type Asked, askedFor } from './request.ts';

/** A workspace with that many contacts. */
function workspaceOf(contacts: number) {
  return (request: string, { query }: TransportRequest): TransportResponse => {
    if (request.startsWith('GET /space/custom_field'))
      return answer(200, { items: [{ id: 11, name: 'Score', dataType: 'number' }], pagination: {} });
    if (request !== 'POST /contact/list') return emptyPage;
    const [from, limit] = ['cursorId', 'limit'].map((name) => Number(new URLSearchParams(query).get(name)));
    const to = Math.min(contacts, (from ?? 0) + (limit ?? 0));
    const items = Array.from({ length: to - (from ?? 0) }, (_, n) => ({ id: (from ?? 0) + n + 1 }));
    const next = to < contacts ? `https://workspace.test/v1/contact/list?cursorId=${to}` : '';
    return answer(200, { items, pagination: { next, previous: '' } });
  };
}

async function begun({ file }: Asked, request: ImportRequest) {
  const result = await prepareImport(request, file);
  onTestFinished(() => result.index.close());
  return result;
}

const lines = ['A,Ada,ada@example.test,', 'B,Bob,bob@example.test,', 'A,Ada,ada@other.test,', 'D,Dee,,'];

describe('an import that begins', () => {
  it('knows how many rows have to be looked up: those whose key or identifiers are new', async () => {
    const it = await askedFor(workspaceOf(0), lines);
    const first = await begun(it, it.request);
    // D has neither e-mail nor phone.
    expect(first).toMatchObject({ lookupsNeeded: 3, continued: false, run: { items: 4 } });
    const journal = openRunJournal(it.file, first.run, it.request.clock);
    const known = (key: string, email: string) =>
      journal.known.remember({
        ...{ key, contact: 7, identifiers: [], created: true, line: 2 },
        applied: { email: hashValue(email) },
      });
    journal.finish({
      ...ended(),
      also: [known('key:A', 'ada@example.test'), known('key:B', 'bob@before.test')],
    });
    journal.flush();
    const second = await begun(it, { ...it.request, fresh: true });
    expect(second.lookupsNeeded).toBe(2);
  });

  it('and takes up some rows counts those alone', async () => {
    const it = await askedFor(workspaceOf(0), lines, '  deferred: [lifecycle]\n');
    const first = await begun(it, it.request);
    const journal = openRunJournal(it.file, first.run, it.request.clock);
    const known = { key: 'key:B', contact: 7, identifiers: [], created: true, applied: {}, line: 3 };
    journal.finish({ ...ended(), also: [journal.known.remember(known)] });
    journal.flush();
    const { run, index } = await begun(it, { ...it.request, selection: { kind: 'deferred' } });
    expect(run.items).toBe(1);
    expect([...index.selectedBetween(0, 9)]).toEqual([1]);
  });

  it('and was interrupted while it chose its rows counts those alone when it is continued', async () => {
    const it = await askedFor(workspaceOf(0), lines, '', { selection: { kind: 'deferred' } });
    const stop = new AbortController();
    const interrupted: ImportRequest = {
      ...it.request,
      stop,
      // Asked for when the run is bound, and before its rows are chosen.
      get approvals(): AnswerListDecisions {
        stop.abort(new FatalError('interrupted', 'interrupted.'));
        return { file: 'none.csv', fingerprint: 'f', approved: [], answered: [], left: 0 };
      },
    };
    await expect(prepareImport(interrupted, it.file)).rejects.toMatchObject({ reason: 'interrupted' });
    const { run, continued } = await begun(it, it.request);
    expect(continued).toBe(true);
    expect(run.items).toBe(0);
  });
});

describe('people are looked up', () => {
  const many = Array.from({ length: 40 }, (_, n) => `K${n},P,p${n}@example.test,`);

  async function wayOf(contacts: number, settings = '', more: Partial<ImportRequest> = {}) {
    const it = await askedFor(workspaceOf(contacts), many, settings, more);
    return { it, ...(await looked(it, it.request)) };
  }

  async function looked(it: Asked, request: ImportRequest) {
    const result = await begun(it, request);
    const from = it.sent.length;
    const snapshot = await prepareLookupSnapshot(result);
    onTestFinished(() => snapshot?.close());
    const notes = it.events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
    const pages = it.sent.slice(from).filter((each) => each === 'POST /contact/list').length;
    return { snapshot, notes, pages };
  }

  it('by a snapshot of the contact list where that is short, and it is said', async () => {
    const { snapshot, notes, pages } = await wayOf(25);
    expect(snapshot?.count).toBe(25);
    expect(pages).toBe(1);
    expect(notes.join(' ')).toContain('25 contacts');
  });

  it('by single reads where the list turns out longer than it is worth, and the next run knows', async () => {
    const { it, snapshot, notes, pages } = await wayOf(10_000);
    expect(snapshot).toBeUndefined();
    // One page for each of the 40 rows that would be read, and one more to know.
    expect(pages).toBe(41);
    expect(notes.join(' ')).toContain('more than 4059 contacts');
    const again = await looked(it, { ...it.request, fresh: true });
    expect([again.snapshot, again.pages]).toEqual([undefined, 0]);
  });

  it.each([
    ['the pipeline says so', '  policy: { lookup: single }\n', {}],
    ['the run is about chosen rows', '', { selection: { kind: 'deferred' } }],
  ] as const)('by single reads where %s', async (_what, settings, more) => {
    const { snapshot, pages } = await wayOf(25, settings, more);
    expect(snapshot).toBeUndefined();
    expect(pages).toBe(0);
  });

  it('by the list, however long it is, where the pipeline says so', async () => {
    const { snapshot, pages } = await wayOf(1_000, '  policy: { lookup: snapshot }\n');
    expect(snapshot?.count).toBe(1_000);
    expect(pages).toBe(11);
  });

  it('not at all where nobody has to be', async () => {
    const it = await askedFor(workspaceOf(25), ['K,P,,']);
    const { notes, pages } = await looked(it, it.request);
    expect([notes, pages]).toEqual([[], 0]);
  });
});
