import type { Clock } from '../model/ports.ts';
import { runSql } from '../storage/sql.ts';
import { createCommentRecordStore } from './comment-record.ts';
import { createSentWriteStore } from './created-record.ts';
import { createForgottenPeopleLookup, listKeyNamespaces } from './forgotten-record.ts';
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts';
import { createKnownKeyStore, toKnownKeyScope } from './known-record.ts';
import type { JournalDatabase } from './open.ts';
import { PaceRecorder } from './pace.ts';
import { createJsonPacker } from './packed-json.ts';
import { type ProposalRecord, writeProposal } from './proposal-record.ts';
import { createAnswerStore, type QuestionRecord, writeQuestion } from './question-record.ts';
import { type RowRecord, writeRow } from './row-record.ts';
import type { RunRecord } from './run.ts';
import { beginSessionWithClock } from './session-clock.ts';
import type { SessionHeartbeat } from './session-now.ts';
import {
  findLastSentStep,
  findStepSessionNumber,
  type StepKey,
  type StepRecord,
  type StepState,
  setStepState,
  writeStep,
} from './step-record.ts';
import { type TaggedContactRecord, writeTaggedContact } from './tag-record.ts';
import { createWaitStore } from './wait-record.ts';

type Write = () => void;

/** The journal records of one person's result. */
export interface PersonResultRecords {
  readonly rows: readonly RowRecord[];
  readonly proposals: readonly ProposalRecord[];
  readonly questions?: readonly QuestionRecord[] | undefined;
  readonly tagged: TaggedContactRecord | undefined;
  readonly also: readonly Write[];
}

/** The journal of one session of a run: every write goes through one group commit. */
export type RunJournal = ReturnType<typeof openRunJournal>;

/** Begins a session of a run and returns its journal. */
export function openRunJournal(
  file: JournalDatabase,
  run: RunRecord,
  clock: Clock,
  options?: GroupCommitOptions,
) {
  const commit = new GroupCommit(file, clock, options);
  const times = beginSessionWithClock(file, run, clock);
  const { session, begunAt } = times;
  const created = createSentWriteStore(file, run.workspace, times);
  const scope = toKnownKeyScope(run);
  const pack = createJsonPacker(file);
  const pace = new PaceRecorder();
  let finished = 0;
  /**
   * The number of records fetched by earlier sessions, taken at the first heartbeat; undefined until then.
   */
  let fetchedBefore: number | undefined;
  const mark = (
    step: StepKey,
    state: StepState,
    also: readonly Write[] = [],
    created?: boolean | undefined,
  ): void =>
    commit.soon(() => {
      setStepState(file, run.number, step, state, created);
      for (const write of also) write();
    });
  return {
    run,
    /** The time (ms) when this session began. */
    begunAt,
    /**
     * Returns the latest time (ms) at which a step may have been sent: now for a step of this session, at most this
     * session's start for a step of an earlier one.
     */
    leftBy: (step: StepKey): number => times.leftBy(findStepSessionNumber(file, run.number, step)),
    /**
     * Returns the latest time (ms) at which a step of this name that took effect may have been sent; undefined if none
     * took effect.
     */
    lastSent(name: string): number | undefined {
      const found = findLastSentStep(file, run.number, name);
      return found && times.sentBy(found.at, found.session ?? undefined);
    },
    /** The times at which waits began, over all sessions of the run. */
    waits: createWaitStore(file, run.number, times, (write) => commit.soon(write)),
    /** The store of the records of source keys; pass the writes that it returns to `intend`, `mark` or `finish`. */
    known: createKnownKeyStore(file, scope, run.number),
    comments: createCommentRecordStore(file, scope),
    /** The answers to questions whether two rows, or a row and a contact, are one person. */
    answers: createAnswerStore(file, scope),
    /** Tells whether an identifier or source key belongs to a forgotten person. */
    forgotten: createForgottenPeopleLookup(file, listKeyNamespaces(run)),
    /**
     * Resolves when the intent, the contacts it may create and the other records are durable: only then may the request
     * be sent.
     */
    intend(step: StepRecord, creates: readonly string[], also: readonly Write[] = []): Promise<void> {
      const keep = created.note(creates, step.sentAt ?? clock.now());
      return commit.durable(() => {
        writeStep(file, { run: run.number, session, pack }, step);
        keep();
        for (const write of also) write();
      });
    },
    /** Records the state of a step, and related writes, with the next commit. */
    mark,
    /**
     * Records the state of a step that was not applied, and deletes the notes about the contacts that it would have
     * created, so that no row waits for them.
     */
    revert(step: StepKey, state: StepState, creates: readonly string[], also: readonly Write[] = []): void {
      mark(step, state, [created.note(creates, undefined), ...also]);
    },
    /** Records that the effects of requests about these people (identifier texts) may become visible only later. */
    mayArriveLate: (people: readonly string[]): void => commit.soon(created.note(people, clock.now())),
    /** Records the results of a person's rows with all related records, in one transaction. */
    finish({ rows, proposals, questions = [], tagged, also }: PersonResultRecords): void {
      finished += rows.length;
      commit.soon(() => {
        for (const row of rows) writeRow(file, run.number, row);
        for (const proposal of proposals) writeProposal(file, run.number, proposal);
        for (const question of questions) writeQuestion(file, run.number, question);
        if (tagged !== undefined) writeTaggedContact(file, run.number, tagged);
        for (const write of also) write();
      });
    },
    /**
     * Returns the latest time (ms) at which a request about this person (identifier text) may have been sent; undefined
     * if no request is noted. An import begins by deleting the notes about requests whose effects are certainly
     * visible.
     */
    lastSentAbout: (identifier: string): number | undefined => created.sentAt(identifier),
    /** Records a heartbeat, the requests so far, and the state of the session. */
    beat(
      requests: unknown,
      report: SessionHeartbeat = { active: 0, waiting: 0, concurrency: null, waitedMs: 0 },
    ): void {
      const seenAt = clock.now();
      const { waitedMs, ...said } = report;
      const fetched = said.fetched && said.fetched.contacts + said.fetched.messages;
      fetchedBefore ??= fetched;
      const done = fetched === undefined ? finished : fetched - (fetchedBefore ?? 0);
      pace.note({ at: Math.max(0, seenAt - begunAt), done, waitedMs });
      const now = JSON.stringify({
        ...said,
        perSecond: pace.perSecond(),
        tellsTimeLeft: pace.tellsTimeLeft(),
      });
      const samples = pace.toJson();
      commit.soon(() => {
        runSql(file)`UPDATE session SET seen_at = ${seenAt}, requests = ${JSON.stringify(requests)},
          now = ${now}, pace = ${samples} WHERE number = ${session}`;
      });
    },
    /**
     * Commits everything, so that readers of the file see it; throws the error that broke the journal, if there is one.
     */
    flush(): void {
      commit.flush();
      commit.check();
    },
    /** Resolves when everything is durable; rejects with the error that broke the journal, if there is one. */
    settled: (): Promise<void> => commit.settled(),
  };
}
