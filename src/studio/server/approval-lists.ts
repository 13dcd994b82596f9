import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseEditedResult } from '../../app/import/edited-result.ts';
import { countDuplicates } from '../../app/import/report/duplicates.ts';
import {
  formatProposalsCsv,
  type ProposalDecision,
  type ProposedPair,
  readProposalDecisions,
  readProposalPage,
} from '../../app/import/report/merge-proposals.ts';
import { createNoRunsError, getRunById } from '../../app/run/find-run.ts';
import {
  hasJournal,
  type JournalDatabase,
  openJournalDatabase,
  type RunRecord,
} from '../../journal/index.ts';
import { runFileNames } from '../../report/file-names.ts';
import { writeFileAtomically } from '../../report/whole-file.ts';
import type { MergeReviewProgress, PairWithDecision } from '../wire/merges.ts';
import { HttpError } from './http-error.ts';
import { createTurns } from './turns.ts';

/**
 * A decision about a proposed merge, with the edited values; `at` is the merge's position in the proposals of the
 * run.
 */
export interface MergeDecision {
  readonly at: ProposedPair['at'];
  readonly answer: ProposalDecision['answer'];
  readonly result: Readonly<Record<string, string>>;
}

/** Reads and writes the lists of merge decisions, one for each run, as `import --approve` reads them. */
export class MergeApprovalLists {
  readonly #workDir: string;
  readonly #inTurn = createTurns();

  constructor(workDir: string) {
    this.#workDir = workDir;
  }

  /** Returns the path of a run's list, in the folder of the run. */
  path({ id }: Pick<RunRecord, 'id'>): string {
    return join(this.#workDir, 'runs', id, runFileNames.approvedMerges);
  }

  async progress(
    run: string,
  ): Promise<{ run: RunRecord } & Pick<MergeReviewProgress, 'proposals' | 'decided' | 'approved'>> {
    return await this.#with(run, async (journal, found) => ({
      run: found,
      ...(await this.#counts(journal, found)),
    }));
  }

  async pairs(
    run: string,
    after: ProposedPair['at'] | null,
    count: number,
  ): Promise<readonly PairWithDecision[]> {
    return await this.#with(run, async (journal, found) => {
      const decisions = await this.#decisions(journal, found);
      return readProposalPage(journal, found, after ?? undefined, count).map((pair) => ({
        ...pair,
        decision: decisions.get(pair.id) ?? { answer: '' },
      }));
    });
  }

  /**
   * Saves a decision. Throws an HttpError if the proposal no longer exists (404), or an edited value is invalid (422).
   */
  async decide(run: string, decision: MergeDecision): Promise<void> {
    await this.#inTurn(() => this.#with(run, (journal, found) => this.#write(journal, found, decision)));
  }

  async #write(
    journal: JournalDatabase,
    run: RunRecord,
    { at, answer, result }: MergeDecision,
  ): Promise<void> {
    const [pair] = readProposalPage(journal, run, { seq: at.seq, pair: at.pair - 1 }, 1);
    if (pair === undefined || pair.at.seq !== at.seq || pair.at.pair !== at.pair)
      throw new HttpError(404, 'This proposal is not there any more.', { next: 'Reload the page.' });
    assertPossible(pair, result);
    const decisions = new Map(await this.#decisions(journal, run));
    const edited = Object.entries(result).filter(
      ([field, value]) => pair.fields.find((each) => each.field === field)?.result !== value,
    );
    decisions.set(pair.id, { answer, ...(edited.length > 0 && { result: Object.fromEntries(edited) }) });
    await writeFileAtomically(this.path(run), formatProposalsCsv(journal, run, decisions));
  }

  async #counts(journal: JournalDatabase, run: RunRecord) {
    const answers = [...(await this.#decisions(journal, run)).values()].map(({ answer }) => answer);
    return {
      proposals: countDuplicates(journal, run.number).proposals,
      decided: answers.filter((answer) => answer !== '').length,
      approved: answers.filter((answer) => answer === 'yes').length,
    };
  }

  async #decisions(journal: JournalDatabase, run: RunRecord): Promise<ReadonlyMap<string, ProposalDecision>> {
    const path = this.path(run);
    return existsSync(path) ? await readProposalDecisions(journal, run, path) : new Map();
  }

  async #with<T>(id: string, work: (journal: JournalDatabase, run: RunRecord) => Promise<T>): Promise<T> {
    if (!hasJournal(this.#workDir)) throw createNoRunsError(this.#workDir);
    const journal = openJournalDatabase(this.#workDir);
    try {
      return await work(journal, getRunById(journal, this.#workDir, id));
    } finally {
      journal.close();
    }
  }
}

/**
 * Throws an HttpError (422) for an unknown field, or a value that the import would reject; the types of
 * custom fields are not checked.
 */
function assertPossible({ fields }: ProposedPair, result: Readonly<Record<string, string>>): void {
  const unknown = Object.keys(result).find((field) => !fields.some((each) => each.field === field));
  if (unknown !== undefined) throw new HttpError(422, `There is no field ${unknown}.`);
  const proposed = Object.fromEntries(fields.map((each) => [`result.${each.field}`, each.result]));
  const filled = Object.entries(result).map(([field, value]) => [`result.${field}`, value] as const);
  parseEditedResult(proposed, { ...proposed, ...Object.fromEntries(filled) }, [], (column, message, next) => {
    return new HttpError(422, message.replaceAll(column, column.replace('result.', '')), { next });
  });
}
