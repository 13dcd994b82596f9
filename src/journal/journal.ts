import type { Clock } from '../model/ports.ts';
import { type CommentMemory, commentMemory } from './comment-record.ts';
import { type CreatedMemory, createdMemory } from './created-record.ts';
import { GroupCommit } from './group-commit.ts';
import { type KnownMemory, knownMemory } from './known-record.ts';
import type { JournalFile } from './open.ts';
import { type ProposalRecord, proposalWriter } from './proposal-record.ts';
import { type RowRecord, rowWriter } from './row-record.ts';
import type { RunRecord } from './run.ts';
import { beginSession } from './session-record.ts';
import { type StepName, type StepRecord, type StepState, stepWriter } from './step-record.ts';
import { type TaggedRecord, taggedWriter } from './tag-record.ts';

type Write = () => void;

/** How the rows of one person ended. */
export interface RowsEnd {
  readonly rows: readonly RowRecord[];
  readonly proposals: readonly ProposalRecord[];
  readonly tagged: TaggedRecord | undefined;
  readonly also: readonly Write[];
}

/** The checkpoint journal as one running import sees it: every write goes through one group commit. */
export interface RunJournal {
  readonly run: RunRecord;
  /** When this session began (ms): whatever an earlier one sent had left by then. */
  readonly begunAt: number;
  /** Whom source keys became; its writes are handed to `write`, `intend` or `finish`. */
  readonly known: KnownMemory;
  readonly comments: CommentMemory;
  /** Resolves when the intent, whom it may create and what else must be remembered is durable: only then may the request leave. */
  intend(step: StepRecord, creates: readonly string[], also?: readonly Write[]): Promise<void>;
  /** Records a change of state with the next commit. */
  mark(step: StepName, state: StepState, also?: readonly Write[]): void;
  /** Records that nothing of a step was applied, so that nobody waits for whom it would have created. */
  revert(step: StepName, state: StepState, creates: readonly string[], also?: readonly Write[]): void;
  /** Records how rows ended that belong together, with what is remembered of them: all of it or nothing. */
  finish(end: RowsEnd): void;
  /** Records that what was sent about these people (identifier texts) may take until later to show. */
  mayArriveLate(people: readonly string[]): void;
  /** When something was last sent about this person (identifier text) that may not show yet. */
  lastSentAbout(identifier: string): number | undefined;
  /** Notes a sign of life and the requests so far. */
  beat(requests: unknown): void;
  /** Makes everything durable; throws what broke the journal, if something did. */
  flush(): void;
}

/** Opens a session on a run. */
export function openRunJournal(file: JournalFile, run: RunRecord, clock: Clock): RunJournal {
  const commit = new GroupCommit(file);
  const begunAt = clock.now();
  const session = beginSession(file, run.number, clock);
  const writeRow = rowWriter(file, run.number);
  const writeProposal = proposalWriter(file, run.number);
  const writeTagged = taggedWriter(file, run.number);
  const steps = stepWriter(file, run.number);
  const created: CreatedMemory = createdMemory(file, run.workspace);
  const scope = { workspace: run.workspace, mapping: run.mappingName };
  const seen = file.prepare('UPDATE session SET seen_at = ?, requests = ? WHERE number = ?');
  return {
    run,
    begunAt,
    known: knownMemory(file, scope, run.number),
    comments: commentMemory(file, scope),
    intend(step, creates, also = []) {
      const keep = created.note(creates, step.sentAt ?? clock.now());
      return commit.durable(() => {
        steps.intend(step);
        keep();
        for (const write of also) write();
      });
    },
    mark(step, state, also = []) {
      commit.soon(() => {
        steps.mark(step, state);
        for (const write of also) write();
      });
    },
    revert(step, state, creates, also = []) {
      const keep = created.note(creates, undefined);
      commit.soon(() => {
        steps.mark(step, state);
        keep();
        for (const write of also) write();
      });
    },
    mayArriveLate: (people) => commit.soon(created.note(people, clock.now())),
    finish: (end) =>
      commit.soon(() => {
        for (const row of end.rows) writeRow(row);
        for (const proposal of end.proposals) writeProposal(proposal);
        if (end.tagged !== undefined) writeTagged(end.tagged);
        for (const write of end.also) write();
      }),
    lastSentAbout: (identifier) => created.sentAt(identifier),
    beat: (requests) => commit.soon(() => void seen.run(clock.now(), JSON.stringify(requests), session)),
    flush() {
      commit.flush();
      commit.check();
    },
  };
}
