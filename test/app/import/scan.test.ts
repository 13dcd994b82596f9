import { describe, expect, it, onTestFinished } from 'vitest';
import type { ApprovedMerge } from '../../../src/app/import/approved-merges.ts';
import { type ScanRequest, scanInput } from '../../../src/app/import/scan.ts';
import { beginRun, type RowSelection, registerWorkspace } from '../../../src/journal/index.ts';
import { toCommand } from '../../../src/model/command.ts';
import type { SourceItem } from '../../../src/model/row.ts';
import { linkRules } from '../../identity/link-rules.ts';
import {
  binding,
  ended,
  handClock,
  openFile,
  place,
  row,
  runJournal,
  workDir,
} from '../../journal/work-dir.ts';
import { rowOf, sourceOf } from './input.ts';
import { mapRow } from './simulation/map-row.ts';

const rows = [
  { Key: 'A', firstName: 'Ada', email: 'ada@example.test', Tags: 'VIP;new' },
  { Key: 'B', firstName: 'Bob', phone: '+60123456789', Tags: 'vip' },
  { Key: 'C', firstName: 'Nobody' },
  { Key: 'D', firstName: 'Ada', email: 'ada@example.test' },
];
const items: readonly SourceItem[] = rows.map((cells, n) => rowOf(n + 2, cells));
const broken: SourceItem = {
  kind: 'broken',
  line: 6,
  problem: { code: 'row.quote', column: null, reason: 'a stray quote' },
  raw: 'a,"b',
};

/** A run with that selection, and what its survey finds; the input is read as often as `reads` says. */
function scanning(selection: RowSelection, more: Partial<ScanRequest> = {}) {
  const dir = workDir();
  const file = openFile(dir);
  const run = beginRun(file, binding(registerWorkspace(file, place), { selection }), handClock());
  const source = sourceOf([...items, broken]);
  const reads = { count: 0 };
  const request: ScanRequest = {
    file,
    run,
    workDir: dir,
    source: {
      ...source,
      read: (from, signal) => {
        reads.count += 1;
        return source.read(from, signal);
      },
    },
    map: mapRow,
    identify: ['email', 'phone'],
    people: linkRules(),
    answered: '',
    needsOf: ({ tags = [] }) => ({ fields: [], tags, isOverfull: false }),
    hasKey: true,
    command: toCommand,
    approvalsOf: undefined,
    answersOf: () => [],
    hasHeld: () => false,
    isKnown: () => false,
    givenUp: () => [],
    keys: { see: () => undefined, assertSystem: () => undefined },
    signal: new AbortController().signal,
    ...more,
  };
  return { request, reads };
}

/** Surveys; closes the index with the test. */
async function look(request: ScanRequest) {
  const scanned = await scanInput(request);
  onTestFinished(() => scanned.index.close());
  return scanned;
}

describe('a survey of all rows', () => {
  it('finds who is one person, the tags, and how many nobody knows', async () => {
    const { request } = scanning({ kind: 'all' });
    const known = (key: string | null) => key === 'B';
    const { index, lookupsNeeded } = await look({ ...request, isKnown: ({ key }) => known(key) });
    expect([...index.groupsBetween(0, 5).keys()]).toEqual([0, 3]);
    expect([...index.tagNames()]).toEqual(['VIP', 'new']);
    // Ada's two rows; nobody's row and the broken one are nobody's.
    expect(lookupsNeeded).toBe(2);
  });

  it('collects what rows need that the mapping takes, from which row on, and which rows it rejects', async () => {
    const needsOf: ScanRequest['needsOf'] = ({ key, tags = [] }) => ({
      ...{ fields: [`of ${key}`], tags },
      isOverfull: false,
    });
    const { index, takesAny } = await look(scanning({ kind: 'all' }, { needsOf }).request);
    expect([...index.fieldsBefore(1)]).toEqual(['of A']);
    expect([...index.fieldsBefore(9)].sort()).toEqual(['of A', 'of B', 'of D']);
    expect([...index.tagNames(0)]).toEqual([]);
    // Nobody’s row and the broken one, with their lines.
    expect(index.rejectedBetween(0, 9)).toEqual(
      new Map([
        [2, { line: 4 }],
        [4, { line: 6 }],
      ]),
    );
    expect(takesAny).toBe(true);
  });

  it('links rows by nothing that the mapping does not identify by', async () => {
    const same = [1, 2].map((n) =>
      rowOf(n + 1, { firstName: 'A', email: `${n}@x.test`, phone: '+60123456789' }),
    );
    const { request } = scanning({ kind: 'all' }, { source: sourceOf(same), identify: ['email'] });
    expect((await look(request)).index.groupsBetween(0, 2).size).toBe(0);
  });

  it('is not repeated when the run is continued', async () => {
    const { request, reads } = scanning({ kind: 'all' });
    (await scanInput(request)).index.close();
    const { index, lookupsNeeded } = await look(request);
    expect(reads.count).toBe(1);
    expect(lookupsNeeded).toBeUndefined();
    expect([...index.groupsBetween(0, 5).keys()]).toEqual([0, 3]);
  });

  it('that was interrupted begins again', async () => {
    const stop = new AbortController();
    const { request, reads } = scanning({ kind: 'all' });
    const source = sourceOf([...items, broken]);
    const interrupted = {
      ...source,
      async *read() {
        yield items.slice(0, 2);
        stop.abort(new Error('interrupted'));
        yield items.slice(2);
      },
    };
    await expect(scanInput({ ...request, source: interrupted, signal: stop.signal })).rejects.toThrow(
      'interrupted',
    );
    const { index } = await look(request);
    expect(reads.count).toBe(1);
    expect([...index.groupsBetween(0, 5).keys()]).toEqual([0, 3]);
  });

  it('with another switchboard is made again', async () => {
    const { request, reads } = scanning({ kind: 'all' });
    (await scanInput(request)).index.close();
    await look({ ...request, people: linkRules({ switchboard: 1 }) });
    expect(reads.count).toBe(2);
  });

  it.each([
    ['policy.samePerson', { people: linkRules({ samePerson: 'identifier' }) }],
    ['policy.unsure', { people: linkRules({ unsure: 'same' }) }],
    ['answers', { answered: '1 0' }],
  ])('with another %s is made again', async (_what, more) => {
    const { request, reads } = scanning({ kind: 'all' });
    (await scanInput(request)).index.close();
    await look({ ...request, ...more });
    expect(reads.count).toBe(2);
  });
});

describe('a survey of some rows', () => {
  it('takes those with steps that were held, again when the run is continued', async () => {
    const hasHeld: ScanRequest['hasHeld'] = ({ key }) => key === 'B' || key === 'D';
    const { request } = scanning({ kind: 'deferred' }, { hasHeld });
    const first = await scanInput(request);
    expect([...first.index.selectedBetween(0, 5)]).toEqual([1, 3]);
    first.index.close();
    const { index, lookupsNeeded } = await look(request);
    expect([...index.selectedBetween(0, 5)]).toEqual([1, 3]);
    expect(index.selectedCount()).toBe(2);
    expect(lookupsNeeded).toBe(2);
  });

  it('takes those of approved merges', async () => {
    const edited = { contact: {}, customFields: {} };
    const approval: ApprovedMerge = { line: 3, key: 'B', contacts: [1, 2], shown: {}, edited };
    const approvalsOf = ({ key }: { readonly key: string | null }) => (key === 'B' ? [approval] : []);
    const selection = { kind: 'approve', file: 'x.csv', fingerprint: 'f' } as const;
    const { index } = await look(scanning(selection, { approvalsOf }).request);
    expect([...index.selectedBetween(0, 5)]).toEqual([1]);
  });

  it('takes what an earlier run rejected, failed or left uncertain, also what cannot be mapped or parsed', async () => {
    const { file, journal, dir } = runJournal();
    journal.finish(
      ended(
        row(0, { outcome: 'created', key: 'A' }),
        row(1, { outcome: 'failed', key: 'B', line: 99 }),
        row(2, { outcome: 'rejected', key: 'C' }),
        row(3, { outcome: 'uncertain', key: 'D' }),
        row(4, { outcome: 'rejected', line: 6 }),
      ),
    );
    journal.flush();
    const selection = { kind: 'retry', run: journal.run.id, resend: false } as const;
    const run = beginRun(file, binding(journal.run.workspace, { selection }), handClock());
    const { request } = scanning({ kind: 'all' });
    const { index } = await look({ ...request, file, run, workDir: dir });
    expect([...index.selectedBetween(0, 5)]).toEqual([1, 2, 3, 4]);
  });

  it('takes nothing of a run that is not there', async () => {
    const { index } = await look(scanning({ kind: 'retry', run: 'none', resend: true }).request);
    expect(index.selectedCount()).toBe(0);
  });
});
