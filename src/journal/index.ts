export {
  type AttemptRecord,
  type FailingPipeline,
  listFailingPipelines,
  recordAttempt,
} from './attempt-record.ts';
export { type CommentPartState, type CommentRecord, createCommentRecordStore } from './comment-record.ts';
export { deleteSentWritesBefore } from './created-record.ts';
export { countFilledFields, type FilledFieldCounts, type FilledFieldFlags } from './fill-record.ts';
export { assertNotFleetWorkDir, fleetMarkerStore } from './fleet-marker.ts';
export { ensurePseudonymizer, hasForgottenPeople, isForgottenPerson } from './forgotten-record.ts';
export type { CommitShipper } from './group-commit.ts';
export { openRunJournal, type PersonResultRecords, type RunJournal } from './journal.ts';
export {
  countKnownKeys,
  createKnownKeyStore,
  hasKnownKeys,
  hasRunSeenKey,
  type KnownKey,
  type KnownKeyRecord,
  type KnownKeyScope,
  listMissingKeys,
  toKnownKeyScope,
} from './known-record.ts';
export { isLockHolder, type NamedLock, takeAllLocks, takeLock } from './lock.ts';
export { copyJournal, hasJournal, type JournalDatabase, openJournalDatabase, toJournalPath } from './open.ts';
export { type PaceSample, parsePaceSamples } from './pace.ts';
export { createUnpackedViews } from './packed-json.ts';
export { isLikeNationalPhone, type PersonQuery, parsePersonQuery } from './person/asked.ts';
export { findPersonRecords, type PersonRecords } from './person/find-person.ts';
export {
  countPersonRecords,
  forgetPerson,
  forgetRulesByTextColumn,
  type PersonRecordCounts,
  registerPersonSqlFunctions,
} from './person/forget-tables.ts';
export { createIdentifierRedactor, type IdentifierRedactor } from './person/texts.ts';
export {
  countProposals,
  listProposals,
  listProposalsAbout,
  type ProposalCounts,
  type ProposalIdentity,
  type ProposalRecord,
} from './proposal-record.ts';
export { listPrunableRuns, type PrunableRun, pruneRun } from './prune-record.ts';
export {
  type ComparedPerson,
  countQuestions,
  createAnswerStore,
  findQuestionAbout,
  listOpenQuestions,
  type QuestionAnswer,
  type QuestionCounts,
  type QuestionRecord,
} from './question-record.ts';
export { markReachedKeys } from './reached-keys.ts';
export {
  countSentStepsPerInterval,
  findWorkspacePlace,
  listRejects,
  listRowsWithProblemCode,
  listRowsWithProblems,
  listUncertainSteps,
  type RowWithProblems,
  readFinishedRowRange,
  readStoredCells,
  type UncertainStep,
} from './report-queries.ts';
export {
  findLastConcurrencyLimit,
  type OperationRequestCounts,
  parseRequestCounts,
  readLatencies,
} from './request-record.ts';
export {
  countForgottenOpenRows,
  countOpenRows,
  countRetryMatches,
  createRejectedCellsLookup,
  type EarlierRow,
  findInputLine,
  hasOpenRowsInRetryChain,
  isOpenOutcome,
  listEarlierRows,
  listRetryChain,
  listRetryMatches,
  listRowsWithHash,
  listSettledRows,
  listUnprocessedRows,
  listWeakPhones,
  type RetryMatch,
  readStoredRowContent,
  storeWeakPhones,
  type UnprocessedRow,
  writeRetryMatches,
} from './retry-record.ts';
export {
  addRowProblem,
  countFinishedItems,
  countProblemsByOutcome,
  countRowsWithProblem,
  listRowOutcomes,
  listRowsWithContact,
  listRunRows,
  listUnresolvedCreatedRows,
  type RowRecord,
  type RowWithContact,
  readFinishedItemNumbers,
  readFirstUnfinishedItemNumber,
  removeRowProblems,
} from './row-record.ts';
export type {
  RetryMatchCounts,
  RetrySelection,
  RowSelection,
  RunBinding,
  RunKind,
  RunRecord,
  RunState,
  SourceSystem,
  UndoSelection,
} from './run.ts';
export {
  beginRun,
  countRunRows,
  endRun,
  findLastRun,
  findLastRunByKeyNamespace,
  findLastRunOfSourceSystem,
  findRunById,
  findRunByNumber,
  hasUndo,
  listCompleteExports,
  listImportsAndUndos,
  listPendingDeferredSteps,
  listRuns,
  listUndos,
  markRunRunning,
  readLastSuccessTime,
  recordExportCompletion,
  removeRefusedRun,
  resolveRunMappingName,
  rowSelectionSchema,
  setRetryMatchCounts,
  setRunItemCount,
  setRunLeftBehindCounts,
  setRunPlan,
  setRunTableUse,
} from './run-record.ts';
export { parseSessionStatus, type SessionHeartbeat } from './session-now.ts';
export { beginSession, listSessions, readLastSessionNumber, type SessionRecord } from './session-record.ts';
export {
  countSteps,
  countStepsInFlight,
  listStepsOfUnfinishedItems,
  readSlugsOfCreatedFields,
  type StepKey,
  type StepRecord,
  type StepState,
} from './step-record.ts';
export {
  countTaggedContacts,
  deleteKnownTag,
  isKnownTag,
  listTaggedContacts,
  storeKnownTag,
  type TaggedContactRecord,
} from './tag-record.ts';
export {
  countRowsByChangedField,
  hasUnrecordedEarlierValues,
  type IrreversibleStep,
  listIrreversibleSteps,
  listRowsWithProblemsAndContact,
  listWorkspaceSteps,
  recordCreatedContact,
  type WorkspaceStep,
} from './undo-record.ts';
export type { WaitKey } from './wait-record.ts';
export {
  findWorkspaceNumber,
  readContactCount,
  registerWorkspace,
  storeContactCount,
} from './workspace-record.ts';
export { listDeferredRows, listWrittenSteps, type WrittenStep } from './written-record.ts';
