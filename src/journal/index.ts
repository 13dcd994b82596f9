export { type FailingPipeline, failingPipelines, noteAttempt } from './attempt-record.ts';
export { type CommentPart, commentMemory, type KnownComment } from './comment-record.ts';
export { forgetCreated } from './created-record.ts';
export { countFill, type FieldFill, type FillCounts } from './fill-record.ts';
export { assertNotOfFleet, fleetMark } from './fleet-mark.ts';
export { hasForgottenPeople, isForgottenPerson, makePseudonyms } from './forgotten-record.ts';
export type { Shipping } from './group-commit.ts';
export { openRunJournal, type RowsEnd, type RunJournal } from './journal.ts';
export {
  countKnownKeys,
  goneKeysAfter,
  type KnownKey,
  type KnownRecord,
  knownMemory,
  knowsKeys,
  type MemoryScope,
  memoryScopeOfRun,
} from './known-record.ts';
export { holdsLock, type Lock, takeAllLocks, takeLock } from './lock.ts';
export { copyJournal, type JournalFile, journalExists, journalPath, openJournalFile } from './open.ts';
export { type PaceSample, readPace } from './pace.ts';
export { type AskedPerson, askedPerson } from './person/asked.ts';
export { findPerson, type KnownPerson } from './person/find-person.ts';
export {
  countPerson,
  forgetPerson,
  type PersonCounts,
  searchFor,
  textColumns,
} from './person/forget-tables.ts';
export { type WithoutTexts, withoutTexts } from './person/texts.ts';
export { type ProposalRecord, proposalsAbout, proposalsAfter } from './proposal-record.ts';
export { type OldRun, oldRuns, pruneRun } from './prune-record.ts';
export {
  answerMemory,
  type QuestionRecord,
  type QuestionSide,
  questionAbout,
  questionsAfter,
  type SamePerson,
} from './question-record.ts';
export {
  problemRowsAfter,
  type RowProblems,
  rejectsAfter,
  rowProblemsBetween,
  rowSpan,
  sentSteps,
  storedCells,
  type UncertainStep,
  uncertainAfter,
  workspacePlace,
} from './report-queries.ts';
export {
  type CountedRequests,
  concurrencyFound,
  measuredLatencies,
  readRequests,
} from './request-record.ts';
export {
  type Counterpart,
  countCounterparts,
  counterpartsAfter,
  countForgotten,
  countOpen,
  type EarlierRow,
  hasOpenRows,
  isOpenOutcome,
  leftRowsAfter,
  rejectedCells,
  rememberWeakPhones,
  retryFamily,
  rowsOfRunAfter,
  storedRowContent,
  type UnmatchedRow,
  weakPhonesAfter,
  writeCounterparts,
} from './retry-record.ts';
export {
  addProblem,
  type ContactRow,
  contactRowsBetween,
  countProblems,
  countWithProblem,
  dropProblems,
  finishedBetween,
  firstOpenRow,
  outcomesBetween,
  type RowRecord,
  rowsWithoutContactIdAfter,
} from './row-record.ts';
export type {
  MatchCounts,
  NamedSystem,
  RetrySelection,
  RunBinding,
  RunKind,
  RunRecord,
  RunState,
  Selection,
  UndoOf,
} from './run.ts';
export {
  beginRun,
  completeExports,
  continueRun,
  countRows,
  deferredStepsOf,
  endRun,
  findRun,
  findRunNumbered,
  isUndone,
  lastRunOf,
  lastRunOfSystem,
  lastRunUnder,
  lastSuccessOf,
  listRuns,
  mappingNameOf,
  noteExported,
  removeRefusedRun,
  runsThatWrote,
  selectionSchema,
  setItems,
  setLeftBehind,
  setMatched,
  setPlan,
  setTables,
  undosOf,
} from './run-record.ts';
export { readSessionStatus, type SessionReport } from './session-now.ts';
export { beginSession, lastImportSession, listSessions, type SessionRecord } from './session-record.ts';
export {
  countSteps,
  openSteps,
  type StepName,
  type StepRecord,
  type StepState,
} from './step-record.ts';
export { forgetTag, isKnownTag, rememberTag, type TaggedRecord, taggedAfter } from './tag-record.ts';
export {
  countChanges,
  type LastingStep,
  lacksEarlierValues,
  lastingStepsAfter,
  noteContact,
  notedRowsAfter,
  type SettingStep,
  settingSteps,
} from './undo-record.ts';
export type { WaitName } from './wait-record.ts';
export {
  contactsCounted,
  recogniseWorkspace,
  rememberContacts,
  workspaceNumberAt,
} from './workspace-record.ts';
export { deferredAfter, type WrittenStep, writtenAfter } from './written-record.ts';
