import { join } from 'node:path';
import { type InputIndex, openInputIndex, removeInputIndex } from '../../identity/input-index.ts';
import type { IdentifyBy } from '../../identity/look-up.ts';
import { findRun, type JournalFile, type RunRecord, rowChooser } from '../../journal/index.ts';
import type { Draft, Mapped } from '../../model/draft.ts';
import type { Row, Source, SourceItem } from '../../model/row.ts';
import type { ApprovalsOf } from './approved-merges.ts';
import { indexRow } from './index-row.ts';
import type { Needs } from './needs.ts';

/** What looking through the whole input, before the first row is sent, needs and gives. */
export interface SurveyRequest {
  readonly file: JournalFile;
  readonly run: RunRecord;
  readonly workDir: string;
  readonly source: Source;
  readonly map: (row: Row) => Mapped;
  readonly identify: readonly IdentifyBy[];
  /** From more people on than this a shared phone is a switchboard. */
  readonly switchboard: number;
  readonly needsOf: (draft: Draft) => Needs;
  readonly approvalsOf: ApprovalsOf | undefined;
  /** Whether a row has steps that were held back, and nobody has carried out since. */
  readonly hasHeld: (draft: Draft) => boolean;
  /** Whether earlier runs remember a row, by what identifies it now. */
  readonly isKnown: (draft: Draft) => boolean;
  /** Identities (as of `identityHashes`) that a row had when it was last imported and has no more. */
  readonly givenUp: (draft: Draft) => readonly string[];
  readonly signal: AbortSignal;
}

export interface Surveyed {
  readonly index: InputIndex;
  /** Rows that have to be looked up at the most; undefined where an earlier session has counted them. */
  readonly strangers: number | undefined;
  /** Whether the mapping takes any of the rows that the run is about, as far as this session had to look. */
  readonly takesAny: boolean;
}

/**
 * Reads the input once more for who its rows are: which of them are one person, which tags it names, and which rows a
 * run takes up that is not about all of them. What was found for a run before is taken again (promise 7: on disk).
 */
export async function survey(request: SurveyRequest): Promise<Surveyed> {
  const { run, workDir, switchboard, source, signal } = request;
  const path = indexPath(workDir, run);
  const fingerprint = JSON.stringify([run.input, run.mapping, switchboard]);
  const { index, complete } = openInputIndex(path, fingerprint);
  try {
    const isChosen = chooser(request);
    if (complete && isChosen === undefined) return { index, strangers: undefined, takesAny: true };
    const look = new Look(request, index, complete, isChosen);
    let seq = 0;
    for await (const batch of source.read(0, signal)) {
      for (const item of batch) {
        look.at(seq, item);
        seq += 1;
      }
      signal.throwIfAborted();
    }
    if (!complete) index.finish({ switchboard });
    const strangers = isChosen === undefined ? look.strangers : index.selectedCount();
    return { index, strangers, takesAny: look.takesAny };
  } catch (error) {
    index.close();
    throw error;
  }
}

/** Removes what was found out of a run's input. */
export function removeIndex(workDir: string, run: RunRecord): void {
  removeInputIndex(indexPath(workDir, run));
}

function indexPath(workDir: string, run: RunRecord): string {
  return join(workDir, 'spool', `${run.id}.index.db`);
}

/** Looks at one row of the input after the other. */
class Look {
  readonly #request: SurveyRequest;
  readonly #index: InputIndex;
  /** Whether the index stands already, and only the selection is wanted. */
  readonly #complete: boolean;
  readonly #isChosen: IsChosen | undefined;
  strangers = 0;
  takesAny = false;

  constructor(request: SurveyRequest, index: InputIndex, complete: boolean, isChosen: IsChosen | undefined) {
    this.#request = request;
    this.#index = index;
    this.#complete = complete;
    this.#isChosen = isChosen;
  }

  at(seq: number, item: SourceItem): void {
    const mapped = item.kind === 'row' ? this.#request.map(item) : undefined;
    const draft = mapped?.ok === true ? mapped.draft : undefined;
    const refusedKey = mapped?.ok === false ? mapped.key : null;
    if (draft !== undefined) this.#add(seq, draft);
    else if (!this.#complete) this.#reject(seq, item);
    const row = { line: item.line, key: draft?.key ?? refusedKey, draft };
    const isOurs = this.#isChosen === undefined || this.#isChosen(row);
    if (isOurs && draft !== undefined) this.takesAny = true;
    if (isOurs && this.#isChosen !== undefined) this.#index.select(seq);
  }

  #add(seq: number, draft: Draft): void {
    if (!this.#request.isKnown(draft)) this.strangers += 1;
    if (!this.#complete) indexRow(this.#index, seq, draft, this.#request);
  }

  #reject(seq: number, item: SourceItem): void {
    if (item.kind !== 'filtered') this.#index.addRejected(seq);
  }
}

type IsChosen = (row: {
  readonly line: number;
  readonly key: string | null;
  readonly draft: Draft | undefined;
}) => boolean;

/** Which rows a run takes up, where it does not take up all. */
function chooser({ file, run, approvalsOf, hasHeld }: SurveyRequest): IsChosen | undefined {
  const { selection } = run;
  switch (selection.kind) {
    case 'all':
    case 'compact':
      return undefined;
    case 'held':
      return ({ draft }) => draft !== undefined && hasHeld(draft);
    case 'approve':
      return (row) => approvalsOf !== undefined && approvalsOf(row).length > 0;
    case 'retry': {
      const retries = findRun(file, selection.run);
      return retries === undefined ? () => false : rowChooser(file, retries.number, retried);
    }
  }
}

/** What a retry takes up; a comment that may have been sent stays uncertain unless it is to be sent again. */
const retried = ['rejected', 'failed', 'uncertain'];
