export { forgetCreated, renewCreated } from './created-record.ts';
export { openRunJournal, type RunJournal } from './journal.ts';
export { type Lock, takeLock } from './lock.ts';
export { type JournalFile, journalExists, journalPath, openJournalFile } from './open.ts';
export {
  problemsBetween,
  type RowProblems,
  rejectsAfter,
  rowSpan,
  sentSteps,
  workspacePlace,
} from './report-queries.ts';
export { countProblems, finishedBetween, firstOpen, type RowRecord } from './row-record.ts';
export {
  type Binding,
  beginRun,
  continueRun,
  countRows,
  endRun,
  findRun,
  lastRunOf,
  listRuns,
  listSessions,
  type RunRecord,
  type RunState,
  type SessionRecord,
} from './run-record.ts';
export { countSteps, openSteps, type StepRecord, type StepState } from './step-record.ts';
export { recogniseWorkspace } from './workspace-record.ts';
