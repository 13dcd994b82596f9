import { decideOnMatches, type MatchDecision } from '../../../identity/decide.ts';
import type { IdentityVerdict } from '../../../identity/evidence.ts';
import type { MatchedContacts } from '../../../identity/look-up.ts';
import type { Contact } from '../../../model/contact.ts';
import type { Problem } from '../../../model/problem.ts';
import { computeFieldChanges, isEmptyValue } from '../../../steps/field-change.ts';
import { listDefaultFirstNameNotes } from '../../../steps/first-name.ts';
import {
  type ContactStepsResult,
  createEditedCommentProblem,
  noStepsResult,
  runContactSteps,
} from './contact-steps.ts';
import type { PersonOutcome } from './end.ts';
import { buildFilledFields } from './fill.ts';
import {
  type AbsenceProof,
  findContactsByFurtherIdentifiers,
  findContactsOfPerson,
  type PersonLookupResult,
  readUntilVisible,
  withoutCrowdedPhone,
} from './find-person.ts';
import {
  createConfirmedCommentNotes,
  hasCommentTextChanged,
  hashFieldValues,
  isPersonUnchanged,
  listPendingComments,
  selectPendingStateHashes,
  selectPendingValues,
} from './memory.ts';
import {
  buildKnownKeyUpdate,
  createFinishedPerson,
  createRepeatLookupResult,
  type FinishedPerson,
  finishAsFailed,
  finishAsRefused,
  finishAsRejected,
  finishAsStale,
  noProgress,
  type PersonAttemptResult,
  type PersonProgress,
  type PersonTask,
} from './progress.ts';
import { checkApprovedMerge, createMergeProposals, includeApprovedMatches } from './proposals.ts';
import {
  addWeakMatchNotes,
  finishAsQuestion,
  finishAsReusedKey,
  finishIfAnswerStale,
  finishWithoutIdentifier,
  removeIdentifiersOfOthers,
  removeSharedIdentifiers,
} from './questions.ts';
import { areSamePerson, type ContactCandidate, judgeCandidates } from './recognise.ts';
import { findCommentsSentBefore } from './sent-comments.ts';
import { settleInFlightSteps } from './settle-in-flight.ts';
import {
  type ContactWriteResult,
  type ContactWriteTask,
  planWriteForCreatedContact,
  writeContact,
} from './write-contact.ts';

/** The most attempts for one person: the row fails after these if other clients keep changing its contact. */
const mostTurns = 4;

/**
 * Runs one person through an import: find → decide → write the contact → run its steps → outcome. It holds a slot of
 * the pool, except while it waits. If the workspace has changed since the look-up, it starts again with the progress
 * made.
 */
export async function importPerson(known: Omit<PersonTask, 'values'>): Promise<PersonOutcome> {
  const { context, remembered } = known;
  const person = withoutCrowdedPhone(context, removeSharedIdentifiers(known.person));
  const task: PersonTask = { ...known, person, values: selectPendingValues(context, person, remembered) };
  if (person.open.length === 0 && isPersonUnchanged(context, person, remembered)) return unchanged(task);
  let next: PersonAttemptResult =
    person.open.length === 0
      ? createRepeatLookupResult(noProgress)
      : await settleInFlightSteps(task, noProgress);
  for (let turn = 0; turn < mostTurns && next.kind === 'again'; turn += 1) {
    next = await takeTurn(task, next.progress);
  }
  if (next.kind === 'end') return next.end;
  return finishAsFailed(
    task,
    next.progress,
    'the contact changed again and again while this row was being applied',
  ).end;
}

/** Looks up the person, and applies it once this run processes no other person that leads to the same contacts. */
async function takeTurn(task: PersonTask, progress: PersonProgress): Promise<PersonAttemptResult> {
  const { turns, pool } = task.context;
  const since = turns.version();
  const first = await find(task, progress);
  if (first.kind === 'end') return first;
  const turn = turns.take(idsOf(first.found), since);
  try {
    const { ready } = turn;
    if (ready !== undefined) await pool.withoutSlot(() => ready);
    if (!turn.stale) return expected(task, await act(task, progress, first.found));
    const again = await find(task, progress);
    if (again.kind === 'end') return again;
    // The contacts have changed, and this turn does not cover the new ones: queue for them.
    if (idsOf(again.found).join() !== idsOf(first.found).join()) return { kind: 'again', progress };
    return expected(task, await act(task, progress, again.found));
  } finally {
    turn.leave();
  }
}

/** Records, before the turn ends, that the contact is now this person's: the next person is judged by that. */
function expected({ context, person }: PersonTask, result: PersonAttemptResult): PersonAttemptResult {
  const remember = result.kind === 'end' ? result.end.remember : undefined;
  if (remember !== undefined) context.journal.known.expect(person.keys, remember);
  return result;
}

async function find(
  task: PersonTask,
  progress: PersonProgress,
): Promise<{ readonly kind: 'found'; readonly found: MatchedContacts } | FinishedPerson> {
  // A refused create may have collided with a contact that the snapshot does not show.
  const trust = progress.refusal === undefined ? 'snapshot' : 'reads';
  const whom = await findContacts(task, progress, trust);
  switch (whom.kind) {
    case 'found':
      return { kind: 'found', found: await includeApprovedMatches(task.context, task.person, whom.found) };
    case 'refused':
      return finishAsRefused(task, progress, whom);
    case 'failed':
      return finishAsFailed(task, progress, whom.message);
  }
}

/**
 * Looks up a person's contacts by what earlier runs remember and by the look-up identifiers. If these lead to no
 * contact, or only to other people's, and nothing was sent yet, uses the further e-mails and phones, too (only under
 * `samePerson: evidence`).
 */
async function findContacts(
  task: PersonTask,
  progress: PersonProgress,
  trust: AbsenceProof,
): Promise<PersonLookupResult> {
  const { context, person, remembered } = task;
  const mayBe = (found: MatchedContacts) =>
    judgeCandidates(task, progress, found).some(({ judgement }) => judgement.verdict !== 'different');
  const own = await findContactsOfPerson(context, person, remembered, trust, mayBe);
  const isAsked = person.furtherLookedUpBy.length > 0 && context.policy.samePerson === 'evidence';
  if (own.kind !== 'found' || !isAsked || progress.did !== undefined) return own;
  if (mayBe(own.found)) return own;
  const further = await findContactsByFurtherIdentifiers(context, person, trust);
  return further.kind === 'found' ? { kind: 'found', found: [...own.found, ...further.found] } : further;
}

async function act(
  task: PersonTask,
  progress: PersonProgress,
  found: MatchedContacts,
): Promise<PersonAttemptResult> {
  const candidates = judgeCandidates(task, progress, found);
  const without = removeIdentifiersOfOthers(task, candidates);
  const decided =
    staleSince(task, progress, found) ??
    finishIfAnswerStale(task, progress, found) ??
    givenUpLater(task, progress, found) ??
    decidePerson(without, progress, found, candidates);
  if (decided.kind === 'end') return decided;
  const contacts =
    decided.kind === 'merge' ? decided.contacts : decided.kind === 'create' ? [] : [decided.contact];
  // A contact that this row created before it was interrupted is not a weak match.
  const own = progress.did === 'created' ? without : addWeakMatchNotes(without, contacts, candidates);
  const written = await writeContact(own, progress, decided);
  if (written.kind !== 'written') return written;
  const taken = await takeSteps(own, written);
  return taken.kind === 'end'
    ? taken
    : createFinishedPerson(outcomeOf(own, written, taken.contact, taken.steps));
}

/** Returns a stale result if nothing was sent and a contact differs from what the plan has seen; else undefined. */
function staleSince(
  { context, person }: PersonTask,
  progress: PersonProgress,
  found: MatchedContacts,
): FinishedPerson | undefined {
  if (progress.did !== undefined) return undefined;
  const changed = found.find(({ contact }) => context.plan?.isAsSeen(contact) === false);
  return (
    changed && finishAsStale(person, `contact ${changed.contact.id} is not as it was when the plan was made`)
  );
}

/**
 * Returns the write that the judgements, the policy and the progress call for, or the result where nothing is written.
 */
function decidePerson(
  task: PersonTask,
  progress: PersonProgress,
  found: MatchedContacts,
  candidates: readonly ContactCandidate[],
): ContactWriteTask | FinishedPerson {
  const { context, person } = task;
  const { policy, scope } = context;
  const ofVerdict = (wanted: IdentityVerdict) =>
    candidates.filter(({ judgement }) => judgement.verdict === wanted);
  const same = ofVerdict('same');
  const own = found.filter((match) => same.some(({ contact }) => contact.id === match.contact.id));
  const decision = decideOnMatches(own, policy, person.draft.values.contact, () => isOnePerson(task, same));
  if (scope.approvalsOf !== undefined && progress.did === undefined) return approved(task, decision);
  const [match] = own;
  if (progress.did === 'created' && match !== undefined)
    return planWriteForCreatedContact(task, match.contact);
  const [stranger] = ofVerdict('reused');
  if (stranger !== undefined) return finishAsReusedKey(task, stranger);
  const open = ofVerdict('ask');
  if (open.length > 0) return finishAsQuestion(task, open);
  if (decision.kind === 'create') {
    if (scope.deferredOnly)
      return finishAsFailed(task, progress, 'the contact whose steps were deferred no longer exists');
    if (person.identifiers.length === 0) return finishWithoutIdentifier(task, candidates);
    return wasDeleted(task, progress) ?? decision;
  }
  switch (decision.kind) {
    case 'update':
    case 'merge':
      return decision;
    case 'propose': {
      const proposals = createMergeProposals(context, person, decision.pairs);
      const problems = [decision.problem, ...person.draft.dropped];
      return createFinishedPerson({ outcome: 'proposed', contact: null, problems, proposals });
    }
    case 'skip':
    case 'reject':
      return leftAlone(task, progress, decision);
  }
}

/** Returns true if the contacts that a row leads to are all one person. */
function isOnePerson(task: PersonTask, same: readonly ContactCandidate[]): boolean {
  return same.every((one, n) => same.slice(n + 1).every((other) => areSamePerson(task, one, other)));
}

/**
 * Returns a skipped result for a person whose contact of an earlier run no longer exists, if this run has sent nothing
 * for the person and `onDeleted` is `skip`; else undefined.
 */
function wasDeleted(
  { context, person, remembered }: PersonTask,
  { did }: PersonProgress,
): FinishedPerson | undefined {
  if (context.policy.onDeleted === 'recreate' || did !== undefined || remembered === undefined)
    return undefined;
  const [contact] = remembered.contacts;
  if (contact === undefined) return undefined;
  const reason = `contact ${contact} was deleted in the workspace, and policy.onDeleted is skip`;
  const problem = { code: 'contact.deleted', column: null, reason };
  return createFinishedPerson({
    outcome: 'skipped',
    contact: null,
    problems: [problem, ...person.draft.dropped],
  });
}

/**
 * Returns the result of an existing person under `skip` or `reject`. Returns a `keep` task, which runs only the steps,
 * if an import created the contact and no value of the row has changed, or if this row has already changed the contact.
 */
function leftAlone(
  task: PersonTask,
  { did }: PersonProgress,
  decision: MatchDecision & { kind: 'skip' | 'reject' },
): ContactWriteTask | FinishedPerson {
  const { remembered, values, person } = task;
  const { contact } = decision;
  const isOurs = remembered?.created === true && Object.keys(hashFieldValues(values)).length === 0;
  if (isOurs || did !== undefined) return { kind: 'keep', contact, only: 'changed' };
  if (decision.kind === 'reject') return finishAsRejected(task, decision.problem, contact.id);
  return createFinishedPerson({ outcome: 'skipped', contact: contact.id, problems: person.draft.dropped });
}

/** Returns the approved merge if it still matches what was shown, else a stale result. */
function approved(task: PersonTask, decision: MatchDecision): ContactWriteTask | FinishedPerson {
  const { context, person } = task;
  const merge = checkApprovedMerge(context, person, decision);
  if (merge.kind === 'merge') return merge;
  return createFinishedPerson({
    outcome: 'stale',
    contact: null,
    problems: [merge.problem, ...person.draft.dropped],
  });
}

/**
 * Runs the steps that follow the contact's own values. If there are any, first waits until a contact just created is
 * visible.
 */
async function takeSteps(
  task: PersonTask,
  { progress, contact, only }: ContactWriteResult,
): Promise<
  | { readonly kind: 'taken'; readonly contact: Contact | null; readonly steps: ContactStepsResult }
  | FinishedPerson
> {
  const { context, person, remembered } = task;
  const created = progress.did === 'created' || remembered?.created === true;
  const desired = selectPendingStateHashes(context, person, remembered, created);
  const comments = listPendingComments(context, person);
  if (Object.keys(desired).length === 0 && comments.length === 0) {
    return { kind: 'taken', contact, steps: noStepsResult };
  }
  const ready =
    contact ?? (await readUntilVisible(context, person, progress.createdAt ?? context.clock.now()));
  if (!('id' in ready)) return finishAsFailed(task, progress, ready.message);
  const contacts = [ready.id, ...(remembered?.contacts ?? [])];
  const steps = await runContactSteps(context, {
    ...{ person, draft: person.draft, contact: ready, created, only, desired },
    comments: findCommentsSentBefore(context, person, contacts, comments),
    leftOut: progress.leftOut,
    newSince: progress.createdAt,
    isRemembered: remembered !== undefined,
    remembered: remembered?.applied ?? {},
  });
  return { kind: 'taken', contact: ready, steps };
}

function outcomeOf(
  task: PersonTask,
  written: ContactWriteResult,
  contact: Contact | null,
  steps: ContactStepsResult,
): PersonOutcome {
  const { progress } = written;
  const { failures, uncertain, notes, applied, also, tagged } = steps;
  const confirmed = createConfirmedCommentNotes(task.context, task.person);
  const done = progress.did ?? (steps.did ? 'updated' : 'unchanged');
  return {
    outcome: failures.length > 0 ? 'failed' : uncertain ? 'uncertain' : done,
    contact: contact?.id ?? null,
    fill: buildFilledFields(task, written),
    problems: [
      ...failures,
      ...progress.notes,
      ...(progress.did === 'created'
        ? listDefaultFirstNameNotes(task.person.draft, task.context.firstNameColumn)
        : []),
      ...keptValues(task, written),
      ...notes,
      ...confirmed,
      ...task.person.draft.dropped,
    ],
    remember: buildKnownKeyUpdate(task, progress, contact, applied),
    tagged,
    also,
  };
}

/** Returns the outcome of a person for whom there is nothing to send. */
function unchanged(task: PersonTask): PersonOutcome {
  const { context, person, remembered } = task;
  const [contact = null] = remembered?.contacts ?? [];
  const edited = listPendingComments(context, person)
    .filter(({ comment, known }) => hasCommentTextChanged(known, comment.text))
    .map(({ comment }) => createEditedCommentProblem(comment.id));
  const remember = buildKnownKeyUpdate(task, noProgress, null, {});
  const problems = [...edited, ...createConfirmedCommentNotes(context, person), ...person.draft.dropped];
  return { outcome: 'unchanged', contact, problems, remember };
}

/**
 * Returns a rejected result for a new person whose e-mail or phone leads to another person's contact until a later row
 * of the input changes it; else undefined.
 */
function givenUpLater(
  task: PersonTask,
  { did }: PersonProgress,
  [match]: MatchedContacts,
): FinishedPerson | undefined {
  if (!task.isGivenUpLater || did === 'created' || match === undefined) return undefined;
  const { id } = match.contact;
  const reason = `it leads to contact ${id}, which belongs to another person of this input, who has another e-mail or phone now; that row comes later, so a retry of this one finds it done`;
  return finishAsRejected(task, { code: 'identity.conflict', column: null, reason }, id);
}

function idsOf(found: MatchedContacts): readonly number[] {
  return [...new Set(found.map(({ contact }) => contact.id))].sort((a, b) => a - b);
}

/**
 * Returns a note for each value that was left out because the contact has another value and only empty fields are
 * filled. Compares with the contact as it was last read, so that no further request is needed.
 */
function keptValues(
  { context, values }: PersonTask,
  { contact, only, progress }: ContactWriteResult,
): readonly Problem[] {
  // A contact that this row created has the row's values, in the workspace's own spelling.
  if (only !== 'empty' || contact === null || progress.did === 'created') return [];
  return computeFieldChanges(values, contact, context.rules, 'changed').flatMap(
    ({ kind, name, from, to }) => {
      if (isEmptyValue(from) || isEmptyValue(to) || name === progress.leftOut) return [];
      const field = kind === 'custom' ? `customFields.${name}` : name;
      const reason = `contact ${contact.id} has ${JSON.stringify(from)}, so ${JSON.stringify(to)} is left out (onMatch: fill)`;
      return [{ code: `${field}.kept`, column: null, reason }];
    },
  );
}
