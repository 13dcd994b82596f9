import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  copyInputIndex,
  type InputIndex,
  openInputIndex,
  type RowLinkRules,
  removeInputIndex,
} from '../../identity/input-index/index.ts';
import type { MatchIdentifierKind } from '../../identity/look-up.ts';
import {
  findRunById,
  type JournalDatabase,
  listRetryChain,
  listWeakPhones,
  type RunRecord,
  setRetryMatchCounts,
  setRunLeftBehindCounts,
  setRunTableUse,
  storeWeakPhones,
  writeRetryMatches,
} from '../../journal/index.ts';
import type { CommandFactory } from '../../model/command.ts';
import type { Draft, MappingResult } from '../../model/draft.ts';
import type { ProblemCount } from '../../model/problem.ts';
import type { Row, Source, SourceItem } from '../../model/row.ts';
import { normaliseRowPlace, type RowPlace } from '../../model/row-place.ts';
import type {
  RowsWithExamples,
  TableUseSummary,
  UnjoinedRow,
  UnjoinedRowPages,
} from '../../model/table-use.ts';
import { makeOwnerOnlyFolder } from '../../storage/own-folder.ts';
import { removeDatabase } from '../../storage/sqlite.ts';
import { iterateQueryRows } from '../retry/earlier-rows.ts';
import { RowMatcher } from '../retry/match-rows.ts';
import { originalListsPath } from '../retry/original-lists.ts';
import type { InputLossCounter } from '../run/left-behind/first-pass.ts';
import { runLossCodes } from '../run/left-behind/kinds.ts';
import { listJoinLosses, redactLossExamples } from '../run/left-behind/left-behind.ts';
import type { FindRowAnswers } from './answered-questions.ts';
import type { FindRowApprovals } from './approved-merges.ts';
import { indexRow, type RowPrerequisites } from './index-row.ts';
import type { ImportRequest } from './request.ts';

/** The options of the scan, which reads the whole input once before the first row is sent. */
export interface ScanRequest {
  readonly file: JournalDatabase;
  readonly run: RunRecord;
  readonly workDir: string;
  readonly source: Source;
  readonly map: (row: Row) => MappingResult;
  readonly identify: readonly MatchIdentifierKind[];
  /** The rules that link rows to people. */
  readonly people: RowLinkRules;
  /** Identifies the stored answers to whether rows are one person: new answers change it and cause a new scan. */
  readonly answered: string;
  readonly needsOf: (draft: Draft) => RowPrerequisites;
  /** True if the mapping names a key. */
  readonly hasKey: boolean;
  readonly command: CommandFactory;
  readonly approvalsOf: FindRowApprovals | undefined;
  readonly listUnjoined?: ImportRequest['listUnjoined'];
  readonly answersOf: FindRowAnswers;
  /** Returns true if a row may have deferred steps: it is remembered, and the pipeline defers steps. */
  readonly hasHeld: (draft: Draft) => boolean;
  /** Returns true if earlier runs remember a row and its e-mail and phone have not changed since. */
  readonly isKnown: (draft: Draft) => boolean;
  /** Returns the identities (as in `listIdentityHashes`) that a row had at its last import and no longer has. */
  readonly givenUp: (draft: Draft, place: RowPlace) => readonly string[];
  /** Counts what the rows lose; undefined for a run about selected rows, because an earlier run has reported it. */
  readonly firstPass?: InputLossCounter | undefined;
  /**
   * Counts the rows whose key was remembered for another person (`see`); `assertSystem` throws if there are so many
   * that the run must not start.
   */
  readonly keys: { see(row: RowPlace, draft: Draft): void; assertSystem(): void };
  readonly signal: AbortSignal;
}

/** The result of the scan of an input. */
export interface InputScan {
  readonly index: InputIndex;
  /** The run's current record in the journal. */
  readonly run: RunRecord;
  /** The most rows that need a look-up; undefined where an earlier session has counted them. */
  readonly lookupsNeeded: number | undefined;
  /** False if the mapping rejects every row of the run that this session has read. */
  readonly takesAny: boolean;
}

/**
 * Reads the input once before the import, to find the rows of each person, the tags, and the rows that a partial run
 * takes. Reuses an index that an earlier session completed.
 */
export async function scanInput(request: ScanRequest): Promise<InputScan> {
  const { run, workDir, people, answered, source, signal } = request;
  const path = indexPath(workDir, run);
  const fingerprint = JSON.stringify([run.input, run.mapping, people, answered]);
  const { index, complete } = openInputIndex(path, fingerprint);
  let matcher: RowMatcher | undefined;
  try {
    const isChosen = chooser(request);
    if (complete && run.selection.kind === 'all') {
      storeWeakPhones(request.file, run.number, index.weakPhones());
      return { index, run, lookupsNeeded: undefined, takesAny: true };
    }
    matcher = matcherOf(request);
    const rows = new RowScan(request, index, complete, isChosen, matcher);
    let seq = 0;
    for await (const batch of source.read(0, signal)) {
      for (const item of batch) {
        rows.at(seq, item);
        seq += 1;
      }
      signal.throwIfAborted();
    }
    if (!complete) request.keys.assertSystem();
    const accounted = await keepTables(request);
    if (!complete) {
      for (const phone of weakBefore(request)) index.addWeakPhone(phone);
      index.finish(people);
    }
    storeWeakPhones(request.file, run.number, index.weakPhones());
    const { matched, takesAny } =
      matcher === undefined
        ? {
            matched: complete ? accounted : withLosses({ ...request, run: accounted }, index),
            takesAny: rows.takesAny,
          }
        : takeMatched(request, index, matcher);
    const lookupsNeeded = run.selection.kind === 'all' ? rows.lookupsNeeded : index.selectedCount();
    return { index, run: matched, lookupsNeeded, takesAny };
  } catch (error) {
    index.close();
    throw error;
  } finally {
    matcher?.close();
  }
}

/**
 * Stores how many rows of each table are used. This must happen before the index is complete, because a later
 * session with a complete index does not read the input. Ids are written only into unjoined.csv, where
 * `forget` can remove them.
 */
async function keepTables({ file, run, source, workDir, listUnjoined }: ScanRequest): Promise<RunRecord> {
  const account = run.selection.kind === 'all' && run.tables === null ? source.tables?.() : undefined;
  if (account === undefined) return run;
  const found: { uses?: TableUseSummary } = {};
  async function* unjoined(all: UnjoinedRowPages): AsyncIterable<readonly UnjoinedRow[]> {
    found.uses = yield* all;
  }
  if (listUnjoined === undefined) for await (const _ of unjoined(account));
  else await listUnjoined(join(workDir, 'runs', run.id), unjoined(account));
  return found.uses === undefined ? run : setRunTableUse(file, run, withoutIds(found.uses));
}

function withoutIds({ named, others }: TableUseSummary): TableUseSummary {
  const lines = <Count extends RowsWithExamples>({ examples, ...count }: Count) => ({
    ...count,
    examples: examples.map(({ line }) => ({ line, id: null })),
  });
  return {
    named: named.map(({ unresolved, ...use }) => ({
      ...{ ...use, unjoined: use.unjoined.map(lines) },
      ...(unresolved && { unresolved: lines(unresolved) }),
    })),
    others,
  };
}

/** Stores in the run what it will leave behind, for `resume` and `status`. */
function withLosses({ file, run, people, firstPass }: ScanRequest, index: InputIndex): RunRecord {
  if (firstPass === undefined) return run;
  const losses = [
    ...withDuplicates(firstPass.losses(firstPass.stop(index)), index, people),
    ...lossesAmongRows(index, people),
    ...listJoinLosses(run.tables),
  ];
  return setRunLeftBehindCounts(file, run, redactLossExamples(losses));
}

/**
 * Adds the rows rejected as duplicates: the first pass judges each row alone, but `duplicates: reject` takes no row of
 * a person with several rows.
 */
function withDuplicates(
  losses: readonly ProblemCount[],
  index: InputIndex,
  { duplicates }: RowLinkRules,
): readonly ProblemCount[] {
  const { groups, folded } = index.counts();
  const n = duplicates === 'reject' ? groups + folded : 0;
  if (n === 0) return losses;
  const { rejected: code } = runLossCodes;
  const alone = losses.find((loss) => loss.code === code) ?? { code, n: 0, examples: [], values: [] };
  const values = [...(alone.values ?? []), { value: 'identity.duplicate', n }];
  return [...losses.filter((loss) => loss !== alone), { ...alone, n: alone.n + n, values }];
}

function lossesAmongRows(index: InputIndex, { duplicates }: RowLinkRules): readonly ProblemCount[] {
  const { folded, asked, reused, sharedEmails, sharedPhones } = index.counts();
  const counts = {
    'identity.folded': duplicates === 'merge' ? folded : 0,
    'identity.duplicate': duplicates === 'first' || duplicates === 'last' ? folded : 0,
    'identity.ask': asked,
    'key.reused': reused,
    'email.shared': sharedEmails,
    'phone.shared': sharedPhones,
  };
  return Object.entries(counts).flatMap(([code, n]) => (n === 0 ? [] : [{ code, n, examples: [] }]));
}

/**
 * Yields the shared phones that the earlier runs of a retry's chain have stored, if the retry reads a corrected
 * rejects.csv: such a file may have only one of the rows that share a phone.
 */
function* weakBefore({ file, run }: ScanRequest): Generator<string, void, undefined> {
  if (run.selection.kind !== 'retry' || run.selection.from === undefined) return;
  const retried = findRunById(file, run.selection.run);
  for (const { number } of retried === undefined ? [] : listRetryChain(file, retried, run.number))
    yield* iterateQueryRows((after: string | undefined) => listWeakPhones(file, number, after ?? '', 500));
}

/**
 * Selects the rows that a retry takes, and records in the journal which earlier rows it takes, and which have changed
 * or are missing.
 */
function takeMatched(
  { file, run }: ScanRequest,
  index: InputIndex,
  matcher: RowMatcher,
): { readonly matched: RunRecord; readonly takesAny: boolean } {
  const found = matcher.finish();
  let takesAny = false;
  for (const seq of found.taken()) {
    index.select(seq);
    takesAny ||= !index.rejectedBetween(seq, seq + 1).has(seq);
  }
  writeRetryMatches(file, run.number, found.matches());
  return { matched: setRetryMatchCounts(file, run, found.counts), takesAny };
}

function matcherOf({ file, run, workDir, hasKey, command }: ScanRequest): RowMatcher | undefined {
  if (run.selection.kind !== 'retry') return undefined;
  const retried = findRunById(file, run.selection.run);
  if (retried === undefined) return undefined;
  const family = listRetryChain(file, retried, run.number);
  const path = join(workDir, 'spool', `${run.id}.retry.db`);
  return new RowMatcher({ journal: file, run, family, path, hasKey, command });
}

/** Removes what the scratch files hold about the rows of a run's input. */
export function removeIndexOfRun(workDir: string, run: RunRecord): void {
  removeInputIndex(indexPath(workDir, run));
  if (run.selection.kind === 'retry') removeDatabase(originalListsPath(workDir, run.selection));
}

/**
 * Copies the complete indexes of a work dir's unfinished runs to another work dir, so that a run continued there has
 * the same facts about its rows: a new scan would find other replaced identifiers, because rows have been sent since.
 */
export async function copyRunIndexes(workDir: string, other: string): Promise<void> {
  const [from, to] = [join(workDir, 'spool'), join(other, 'spool')];
  const names = (await readdir(from)).filter((name) => name.endsWith(indexSuffix));
  if (names.length > 0) makeOwnerOnlyFolder(to);
  for (const name of names) await copyInputIndex(join(from, name), join(to, name));
}

function indexPath(workDir: string, run: RunRecord): string {
  return join(workDir, 'spool', `${run.id}${indexSuffix}`);
}

const indexSuffix = '.index.db';

/** Scans the rows of the input one by one. */
class RowScan {
  readonly #request: ScanRequest;
  readonly #index: InputIndex;
  /** True if the index is complete and only the selection is needed. */
  readonly #complete: boolean;
  readonly #isChosen: IsChosen | undefined;
  readonly #matcher: RowMatcher | undefined;
  lookupsNeeded = 0;
  takesAny = false;

  constructor(
    request: ScanRequest,
    index: InputIndex,
    complete: boolean,
    isChosen: IsChosen | undefined,
    matcher: RowMatcher | undefined,
  ) {
    this.#request = request;
    this.#index = index;
    this.#complete = complete;
    this.#isChosen = isChosen;
    this.#matcher = matcher;
  }

  at(seq: number, item: SourceItem): void {
    const mapped = item.kind === 'row' ? this.#request.map(item) : undefined;
    if (!this.#complete) this.#request.firstPass?.take(item, mapped);
    const draft = mapped?.ok === true ? mapped.draft : undefined;
    const refusedKey = mapped?.ok === false ? mapped.key : null;
    if (draft !== undefined) this.#add({ seq, ...normaliseRowPlace(item) }, draft);
    else if (!this.#complete) this.#reject(seq, item);
    const row = { line: item.line, key: draft?.key ?? refusedKey, draft };
    this.#matcher?.see(seq, item, row.key);
    const isOurs = this.#isChosen === undefined || this.#isChosen(row);
    if (isOurs && draft !== undefined) this.takesAny = true;
    if (isOurs && this.#isChosen !== undefined) this.#index.select(seq);
  }

  #add(place: RowPlace & { readonly seq: number }, draft: Draft): void {
    this.#request.keys.see(place, draft);
    if (!this.#request.isKnown(draft)) this.lookupsNeeded += 1;
    if (!this.#complete) indexRow(this.#index, place, draft, this.#request);
  }

  #reject(seq: number, item: SourceItem): void {
    if (item.kind !== 'filtered') this.#index.addRejected(seq, item);
  }
}

type IsChosen = (row: {
  readonly line: number;
  readonly key: string | null;
  readonly draft: Draft | undefined;
}) => boolean;

/**
 * Returns a function that tells whether a partial run takes a row; undefined for a run about all rows, and for a retry,
 * whose rows the RowMatcher selects.
 */
function chooser({ run, approvalsOf, answersOf, hasHeld }: ScanRequest): IsChosen | undefined {
  switch (run.selection.kind) {
    case 'all':
    case 'compact':
    case 'retry':
      return undefined;
    case 'deferred':
      return ({ draft }) => draft !== undefined && hasHeld(draft);
    case 'approve':
      return (row) => answersOf(row).length > 0 || (approvalsOf?.(row) ?? []).length > 0;
  }
}
