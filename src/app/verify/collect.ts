import {
  createCommentRecordStore,
  type JournalDatabase,
  listDeferredRows,
  listImportsAndUndos,
  listTaggedContacts,
  type RunRecord,
  toKnownKeyScope,
  type WrittenStep,
} from '../../journal/index.ts';
import { parseIdentifier } from '../../model/identifier.ts';
import { withStorageErrors } from '../../storage/sqlite.ts';
import { toCommentRecordKey } from '../run/uncertain-comment.ts';
import type { WrittenEffects } from '../run/written.ts';
import { visitWrittenEffects } from '../run/written-pages.ts';
import type { ExpectedContactStore, WriteOrigin } from './expected.ts';

const pageSize = 1_000;

/** The run or the workspace to verify. */
export interface VerificationScope {
  readonly run: RunRecord;
  /** True to verify all runs that wrote into the workspace, not only this one. */
  readonly all: boolean;
  /** The names of the steps that the run's pipeline defers. */
  readonly deferred: readonly string[];
}

/**
 * Collects the values that the workspace should have: for each field that the runs in scope wrote, the value that any
 * run wrote last; also the tags of contact-tags.csv and the deferred steps. Yields to the event loop between pages.
 */
export async function collectExpectedContacts(
  journal: JournalDatabase,
  expected: ExpectedContactStore,
  scope: VerificationScope,
): Promise<void> {
  const runs = listImportsAndUndos(journal, scope.run.workspace);
  const inScope = scope.all ? runs : runs.filter(({ number }) => number === scope.run.number);
  const counted = new Set<string>();
  for (const run of inScope) {
    const findComment = createCommentFinder(journal, run, counted);
    await visitWrittenEffects(journal, run, expected.file, (step, written) =>
      take(expected, run, step, written, findComment),
    );
  }
  for (const run of inScope) await ofTags(journal, expected, run);
  for (const run of runs.filter((each) => !inScope.includes(each) && mayBeLater(each, scope.run))) {
    await visitWrittenEffects(journal, run, expected.file, (step, written) =>
      overtake(expected, run, step, written),
    );
  }
  for (const step of scope.deferred) await ofDeferred(journal, expected, scope.run, step);
}

/** True if a run may have written after the verified one started; an earlier run may have been continued later. */
function mayBeLater(other: RunRecord, run: RunRecord): boolean {
  return other.number > run.number || other.endedAt === null || other.endedAt >= run.startedAt;
}

function take(
  expected: ExpectedContactStore,
  run: RunRecord,
  step: WrittenStep,
  written: WrittenEffects,
  findComment: CommentFinder,
): void {
  const writer = writerOf(run, step);
  const { contact, created, values, gone, unseen } = written;
  if (contact === undefined && created === undefined) return;
  const subject =
    contact === undefined
      ? expected.addCreated(created?.identifiers ?? [], created?.firstName ?? '', writer)
      : expected.add(contact, writer);
  for (const value of values) expected.write(subject, value, writer);
  const unseenEffect = unseen === 'comment' ? findComment(step) : unseen;
  if (unseenEffect !== undefined) expected.unseen(subject, unseenEffect);
  if (gone === undefined || !writer.sure || contact === undefined) return;
  expected.tookOver(subject, writer.at);
  expected.gone(expected.add(gone, writer), contact);
}

/** Returns what verification says of a comment of a run; undefined where another step counts the same comment. */
type CommentFinder = (step: WrittenStep) => 'comment' | 'uncertain' | undefined;

/**
 * Returns the finder for a run: a comment is uncertain if its answer was lost, and it was neither sent again nor found
 * in the workspace since. Each uncertain comment is added to `counted`, and found once.
 */
function createCommentFinder(journal: JournalDatabase, run: RunRecord, counted: Set<string>): CommentFinder {
  const records = createCommentRecordStore(journal, toKnownKeyScope(run));
  return (step) => {
    if (step.state === 'acked') return 'comment';
    const about = toCommentRecordKey(step);
    if (about === undefined) return 'uncertain';
    const known = records.of(about.under, [about.id]).find(({ id }) => id === about.id);
    const part = known?.parts[about.part];
    // The run that sent it again counts it.
    if (part === 'sent') return undefined;
    const comment = JSON.stringify([run.memory, about]);
    if (counted.has(comment)) return undefined;
    counted.add(comment);
    return part === 'confirmed' ? 'comment' : 'uncertain';
  };
}

/** Applies a step of a run outside the scope: its value counts only where a run in scope wrote the same field. */
function overtake(
  expected: ExpectedContactStore,
  run: RunRecord,
  step: WrittenStep,
  written: WrittenEffects,
): void {
  const writer = writerOf(run, step);
  const { contact, values, gone } = written;
  if (contact === undefined) return;
  if (expected.has(contact)) {
    for (const value of values) {
      if (expected.hasValue(contact, value)) expected.write(contact, value, writer);
    }
    if (gone !== undefined && writer.sure) expected.tookOver(contact, writer.at);
  } else if (expected.hasUnknown()) {
    for (const value of values) expected.writeLater(contact, value, writer);
  }
  if (gone !== undefined && writer.sure && expected.has(gone)) expected.gone(gone, contact);
}

function writerOf({ number, startedAt }: RunRecord, step: WrittenStep): WriteOrigin {
  const { line, sheet, key, sentAt, state } = step;
  return { run: number, line, sheet, key, at: sentAt ?? startedAt, sure: state === 'acked' };
}

/** Adds the tags of contact-tags.csv, a list that a user imports into the workspace by hand. */
async function ofTags(
  journal: JournalDatabase,
  expected: ExpectedContactStore,
  run: RunRecord,
): Promise<void> {
  let after = 0;
  for (;;) {
    const page = listTaggedContacts(journal, run.number, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.contact;
    const writer = { run: run.number, line: null, sheet: null, key: null, at: run.startedAt, sure: true };
    const notePage = expected.file.transaction(() => {
      for (const { contact, tags } of page) {
        const subject = expected.add(contact, writer);
        for (const tag of tags)
          expected.write(subject, { kind: 'fileTag', name: tag, want: tag, was: null }, writer);
      }
    });
    withStorageErrors(expected.file.name, () => notePage());
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function ofDeferred(
  journal: JournalDatabase,
  expected: ExpectedContactStore,
  run: RunRecord,
  step: string,
): Promise<void> {
  for (let after = -1; ; ) {
    const page = listDeferredRows(journal, run, step, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.seq;
    const notePage = expected.file.transaction(() => {
      for (const { contact, identifier } of page) {
        if (contact === null)
          expected.deferredOf(identifier === null ? [] : [parseIdentifier(identifier)], step);
        else if (expected.has(contact)) expected.deferred(contact, step);
      }
    });
    withStorageErrors(expected.file.name, () => notePage());
    await new Promise((resolve) => setImmediate(resolve));
  }
}
