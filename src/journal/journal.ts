import type { Clock } from '../model/ports.ts';
import { type CreatedMemory, createdMemory } from './created-record.ts';
import { GroupCommit } from './group-commit.ts';
import type { JournalFile } from './open.ts';
import { type RowRecord, rowWriter } from './row-record.ts';
import { beginSession, type RunRecord } from './run-record.ts';
import { type StepRecord, type StepState, stepWriter } from './step-record.ts';

/** The checkpoint journal as one running import sees it: every write goes through one group commit. */
export interface RunJournal {
  readonly run: RunRecord;
  /** When this session began (ms): whatever an earlier one sent had left by then. */
  readonly begunAt: number;
  /** Resolves when the intent, and whom it may create, is durable: only then may the request leave. */
  intend(step: StepRecord, creates: readonly string[]): Promise<void>;
  /** Records a change of state with the next commit. */
  mark(seq: number, name: string, state: StepState): void;
  /** Records that nothing of a step was applied, so that nobody waits for whom it would have created. */
  takeBack(seq: number, name: string, state: StepState, creates: readonly string[]): void;
  /** Records how a row ended, and with it the state of its last step. */
  finish(row: RowRecord, step?: { name: string; state: StepState }): void;
  /** Records that what was sent about these people (identifier texts) may take until later to show. */
  mayShowLate(people: readonly string[]): void;
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
  const steps = stepWriter(file, run.number);
  const created: CreatedMemory = createdMemory(file, run.workspace);
  const seen = file.prepare('UPDATE session SET seen_at = ?, requests = ? WHERE number = ?');
  return {
    run,
    begunAt,
    intend(step, creates) {
      const keep = created.note(creates, step.sentAt ?? clock.now());
      return commit.durable(() => {
        steps.intend(step);
        keep();
      });
    },
    mark: (seq, name, state) => commit.soon(() => steps.mark(seq, name, state)),
    takeBack(seq, name, state, creates) {
      const keep = created.note(creates, undefined);
      commit.soon(() => {
        steps.mark(seq, name, state);
        keep();
      });
    },
    mayShowLate: (people) => commit.soon(created.note(people, clock.now())),
    finish: (row, step) =>
      commit.soon(() => {
        if (step !== undefined) steps.mark(row.seq, step.name, step.state);
        writeRow(row);
      }),
    lastSentAbout: (identifier) => created.sentAt(identifier),
    beat: (requests) => commit.soon(() => void seen.run(clock.now(), JSON.stringify(requests), session)),
    flush() {
      commit.flush();
      commit.check();
    },
  };
}
