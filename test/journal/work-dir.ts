import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  beginRun,
  type JournalDatabase,
  openJournalDatabase,
  openRunJournal,
  type PersonResultRecords,
  type RowRecord,
  type RunBinding,
  type RunJournal,
  registerWorkspace,
} from '../../src/journal/index.ts';
import type { Clock } from '../../src/model/ports.ts';

/** A folder of the test's own, gone with it. */
export function workDir(): string {
  const dir = mkdtempSync(`${tmpdir()}/longshore-journal-`);
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, 'work');
}

/** A clock that a test sets by hand; nothing sleeps by it. */
export function handClock(now = 1_700_000_000_000): Clock & { set(ms: number): void } {
  const time = { now };
  return {
    now: () => time.now,
    sleep: () => Promise.reject(new Error('nothing sleeps here')),
    set: (ms) => {
      time.now = ms;
    },
  };
}

export function openFile(dir: string): JournalDatabase {
  const file = openJournalDatabase(dir);
  onTestFinished(() => {
    file.close();
  });
  return file;
}

export const place = { place: 'https://workspace.test/v1', users: [1], fields: [11] };

export function binding(workspace: number, more: Partial<RunBinding> = {}): RunBinding {
  return {
    kind: 'import',
    pipeline: 'import-acme',
    file: 'pipelines/import-acme.yaml',
    workspace,
    target: 'sandbox',
    mapping: 'mapping-1',
    memory: 'acme-contacts',
    input: 'input-1',
    inputName: 'contacts.csv',
    items: 10,
    selection: { kind: 'all' },
    full: false,
    ...more,
  };
}

/** A journal with one run under way. */
export function runJournal(
  clock = handClock(),
  more: Partial<RunBinding> = {},
): {
  file: JournalDatabase;
  journal: RunJournal;
  dir: string;
} {
  const dir = workDir();
  const file = openFile(dir);
  const number = registerWorkspace(file, place);
  const run = beginRun(file, binding(number, more), clock);
  return { file, journal: openRunJournal(file, run, clock), dir };
}

/** The end of item `seq`, whose line is two below: the header is line 1. */
export function row(seq: number, more: Partial<RowRecord> = {}): RowRecord {
  const nothing = { key: null, contact: null, problems: [], cells: null, raw: null, hash: null };
  return { seq, line: seq + 2, outcome: 'created', ...nothing, ...more };
}

/** The end of rows that nothing else is remembered of. */
export function ended(...rows: readonly RowRecord[]): PersonResultRecords {
  return { rows, proposals: [], tagged: undefined, also: [] };
}
