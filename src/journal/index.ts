export { type FailingPipeline, listFailingPipelines, recordAttempt } from './attempt-record.ts';
export { type CommentPartState, type CommentRecord, createCommentRecordStore } from './comment-record.ts';
export { deleteCreatesBefore } from './created-record.ts';
export { countFieldFill, type FieldFill, type FillCounts } from './fill-record.ts';
export { assertNotFleetWorkDir, fleetMarkFile } from './fleet-mark.ts';
export { ensurePseudonymizer, hasForgottenPeople, isForgottenPerson } from './forgotten-record.ts';
export type { CommitShipper } from './group-commit.ts';
export { openRunJournal, type PersonRowsResult, type RunJournal } from './journal.ts';
export {
  countKnownKeys,
  createKnownKeyStore,
  goneKeysAfter,
  hasKnownKeys,
  type KnownKey,
  type KnownKeyScope,
  type KnownRecord,
  memoryScopeOfRun,
} from './known-record.ts';
export { isLockHolder, type NamedLock, takeAllLocks, takeLock } from './lock.ts';
export { copyJournal, hasJournal, type JournalFile, journalPath, openJournalFile } from './open.ts';
export { type PaceSample, parsePaceSamples } from './pace.ts';
export { type PersonQuery, parsePersonQuery } from './person/asked.ts';
export { findPerson, type PersonRecords } from './person/find-person.ts';
export {
  countPersonRecords,
  forgetPerson,
  type PersonCounts,
  registerPersonSearch,
  textColumnForgetRules,
} from './person/forget-tables.ts';
export { createTextRemover, type TextRemover } from './person/texts.ts';
export { listProposals, listProposalsAbout, type ProposalRecord } from './proposal-record.ts';
export { listPrunableRuns, type PrunableRun, pruneRun } from './prune-record.ts';
export {
  createAnswerStore,
  findQuestionAbout,
  listQuestions,
  type QuestionRecord,
  type QuestionSide,
  type SameOrDifferent,
} from './question-record.ts';
export {
  countSentSteps,
  findWorkspacePlace,
  listRejects,
  listRowsWithProblemCode,
  listUncertainSteps,
  type RowProblems,
  readRowRange,
  rowProblemsBetween,
  storedCells,
  type UncertainStep,
} from './report-queries.ts';
export {
  findLastConcurrency,
  type OperationRequestCounts,
  parseRequestCounts,
  readLatencies,
} from './request-record.ts';
export {
  countCounterparts,
  countForgottenOpenRows,
  countOpenRows,
  createRejectedCellLookup,
  type EarlierRow,
  hasOpenRows,
  isOpenOutcome,
  listCounterparts,
  listRetryFamily,
  listUnprocessedRows,
  listWeakPhones,
  type RetryCounterpart,
  rowsOfRunAfter,
  storedRowContent,
  storeWeakPhones,
  type UnmatchedRow,
  writeCounterparts,
} from './retry-record.ts';
export {
  addProblem,
  type ContactRow,
  countProblems,
  countRowsWithProblem,
  findFinishedItems,
  firstOpenRow,
  listContactRows,
  listRowOutcomes,
  type RowRecord,
  removeProblems,
  rowsWithoutContactIdAfter,
} from './row-record.ts';
export type {
  MatchCounts,
  RetrySelection,
  RowSelection,
  RunBinding,
  RunKind,
  RunRecord,
  RunState,
  SourceSystem,
  UndoOf,
} from './run.ts';
export {
  beginRun,
  countRunRows,
  deferredStepsOf,
  endRun,
  findLastRun,
  findLastRunByKeyName,
  findLastRunOfSystem,
  findRunById,
  findRunByNumber,
  hasUndo,
  listCompleteExports,
  listRuns,
  listUndos,
  markRunRunning,
  readLastSuccessTime,
  recordCompleteExport,
  removeRefusedRun,
  rowSelectionSchema,
  runMappingName,
  runsThatWrote,
  setRunItems,
  setRunLeftBehind,
  setRunMatches,
  setRunPlan,
  setRunTables,
} from './run-record.ts';
export { readSessionStatus, type SessionReport } from './session-now.ts';
export { beginSession, findLastImportSession, listSessions, type SessionRecord } from './session-record.ts';
export {
  countSteps,
  listUnfinishedSteps,
  type StepKey,
  type StepRecord,
  type StepState,
} from './step-record.ts';
export {
  forgetTag,
  isKnownTag,
  listTaggedContacts,
  rememberTag,
  type TaggedContactRecord,
} from './tag-record.ts';
export {
  countChangedFields,
  type IrreversibleStep,
  lacksEarlierValues,
  listIrreversibleSteps,
  listRowsWithProblems,
  listWorkspaceSteps,
  recordCreatedContact,
  type WorkspaceStep,
} from './undo-record.ts';
export type { WaitKey } from './wait-record.ts';
export {
  readContactCount,
  recogniseWorkspace,
  storeContactCount,
  workspaceNumberAt,
} from './workspace-record.ts';
export { listDeferredRows, listWrittenSteps, type WrittenStep } from './written-record.ts';
