import { type Decision, decide } from '../../../identity/decide.ts';
import type { Found } from '../../../identity/look-up.ts';
import type { Contact } from '../../../model/contact.ts';
import type { FieldValues } from '../../../model/draft.ts';
import type { Problem } from '../../../model/problem.ts';
import type { ImportContext } from '../context.ts';
import { Applying, type Leaving } from './applying.ts';
import { bringBelongings } from './belongings.ts';
import type { BelongingsEnd } from './belongings-work.ts';
import { fieldHashes, hashOf, type Remembered } from './delta.ts';
import type { PersonEnd } from './end.ts';
import { isUnchanged, pendingBelongings, pendingComments, pendingValues } from './pending.ts';
import type { Person } from './person.ts';
import { approvedMerge, proposalsOf, withApproved } from './proposals.ts';
import { whenReady, whoIs } from './whom.ts';

/** Somebody else may change the same person meanwhile; after so many turns the row fails instead of chasing them. */
const mostTurns = 4;

/** Decides and does what one person of the input asks for; holds a place in the pool, and waits aside. */
export class PersonRun {
  readonly #context: ImportContext;
  readonly #person: Person;
  readonly #remembered: Remembered | undefined;
  /** Whether what identifies the person is somebody else's until a later row of the input gives it up. */
  readonly #isGivenUpLater: boolean;
  /** The values that are looked at. */
  readonly #values: FieldValues;
  readonly #applying: Applying;

  constructor(
    context: ImportContext,
    person: Person,
    remembered: Remembered | undefined,
    isGivenUpLater: boolean,
  ) {
    this.#context = context;
    this.#person = person;
    this.#remembered = remembered;
    this.#isGivenUpLater = isGivenUpLater;
    this.#values = pendingValues(context, person, this.#remembered);
    this.#applying = new Applying(context, person, this.#remembered, this.#values);
  }

  async run(): Promise<PersonEnd> {
    if (this.#person.open.length === 0 && isUnchanged(this.#context, this.#person, this.#remembered)) {
      return this.#unchanged();
    }
    const trouble = await this.#applying.settleOpen();
    if (trouble !== undefined) return this.#failed(trouble);
    for (let n = 0; n < mostTurns; n += 1) {
      const end = await this.#turn();
      if (end !== undefined) return end;
    }
    return this.#failed('the contact changed again and again while this row was being applied');
  }

  /** Looks the person up and acts, while nobody else of this run is at the same contacts; undefined: once more. */
  async #turn(): Promise<PersonEnd | undefined> {
    const { turns } = this.#context;
    const since = turns.moment();
    const looked = await this.#lookUp();
    if ('outcome' in looked) return looked;
    const turn = turns.take(idsOf(looked.found), since);
    try {
      const { ready } = turn;
      if (ready !== undefined) await this.#applying.aside(() => ready);
      if (!turn.stale) return await this.#act(looked.found);
      const again = await this.#lookUp();
      if ('outcome' in again) return again;
      // Whom it leads to now is nobody's turn of ours: queue for them.
      if (idsOf(again.found).join() !== idsOf(looked.found).join()) return undefined;
      return await this.#act(again.found);
    } finally {
      turn.leave();
    }
  }

  async #lookUp(): Promise<{ readonly found: Found } | PersonEnd> {
    const whom = await whoIs(this.#context, this.#person, this.#remembered, this.#applying.aside);
    switch (whom.kind) {
      case 'found':
        return { found: await withApproved(this.#context, this.#person, whom.found) };
      case 'refused':
        return this.#rejected([refusal(whom.message)]);
      case 'failed':
        return this.#failed(whom.message);
    }
  }

  async #act(found: Found): Promise<PersonEnd | undefined> {
    const { policy, scope } = this.#context;
    const decision = decide(found, policy);
    if (scope.approvalsOf !== undefined && this.#applying.did === undefined) {
      return await this.#approve(decision);
    }
    if (decision.kind === 'create') {
      if (scope.heldOnly) return this.#failed('the contact whose steps were held is not there any more');
      return await this.#create();
    }
    if (this.#applying.did === 'created') return await this.#complete(firstOf(found));
    if (this.#isGivenUpLater) return this.#rejected([givenUpLater(firstOf(found))], firstOf(found).id);
    switch (decision.kind) {
      case 'skip':
      case 'reject':
        return await this.#leave(decision);
      case 'update':
        return await this.#update(decision.contact, decision.only, decision);
      case 'merge':
        return await this.#merge(decision.contacts);
      case 'propose':
        return this.#propose(decision);
    }
  }

  async #create(): Promise<PersonEnd | undefined> {
    const end = await this.#applying.create();
    switch (end.kind) {
      case 'done':
        return end.contact === null ? await this.#follow(null, 'changed') : await this.#complete(end.contact);
      case 'again':
        return undefined;
      case 'rejected':
        return this.#rejected([end.problem]);
      case 'failed':
        return this.#failed(end.message);
    }
  }

  /** The person is there because this row created them; where something is missing, an update adds it. */
  async #complete(contact: Contact): Promise<PersonEnd | undefined> {
    const { onMatch } = this.#context.policy;
    if (onMatch === 'skip' || onMatch === 'reject') return await this.#follow(contact, 'changed');
    return await this.#update(contact, onMatch === 'fill' ? 'empty' : 'changed', {});
  }

  async #update(
    contact: Contact,
    only: 'changed' | 'empty',
    leaving: Leaving,
  ): Promise<PersonEnd | undefined> {
    if (this.#applying.did === 'merged') {
      this.#applying.standsAsMerged();
      return await this.#follow(contact, only);
    }
    const end = await this.#applying.update(contact, only, leaving);
    switch (end.kind) {
      case 'done':
        return await this.#follow(contact, only);
      case 'again':
        return undefined;
      case 'rejected':
        return this.#rejected([end.problem], contact.id);
      case 'failed':
        return this.#failed(end.message);
    }
  }

  async #merge(contacts: readonly [Contact, Contact]): Promise<PersonEnd | undefined> {
    const end = await this.#applying.merge(contacts);
    switch (end.kind) {
      case 'done':
      case 'again':
        // What the merge gave is read like anybody else.
        return undefined;
      case 'rejected':
        return this.#rejected([end.problem]);
      case 'failed':
        return this.#failed(end.message);
    }
  }

  async #approve(decision: Decision): Promise<PersonEnd | undefined> {
    const approved = approvedMerge(this.#context, this.#person, decision);
    if (approved.kind === 'merge') return await this.#merge(approved.contacts);
    return { outcome: 'stale', contact: null, problems: [approved.problem, ...this.#person.draft.dropped] };
  }

  /** Under `skip` and `reject` people who are there are left alone; what is still open of one of ours is done. */
  async #leave(decision: Decision & { kind: 'skip' | 'reject' }): Promise<PersonEnd> {
    const isOurs = this.#remembered?.created === true && Object.keys(fieldHashes(this.#values)).length === 0;
    if (isOurs || this.#applying.did !== undefined) return await this.#follow(decision.contact, 'changed');
    if (decision.kind === 'reject') return this.#rejected([decision.problem], decision.contact.id);
    return { outcome: 'skipped', contact: decision.contact.id, problems: this.#person.draft.dropped };
  }

  #propose({ pairs, problem }: Decision & { kind: 'propose' }): PersonEnd {
    const proposals = proposalsOf(this.#context, this.#person, pairs);
    return {
      outcome: 'proposed',
      contact: null,
      problems: [problem, ...this.#person.draft.dropped],
      proposals,
    };
  }

  /** Everything that belongs to the contact; null is one that this row has just created and nobody has read yet. */
  async #follow(contact: Contact | null, only: 'changed' | 'empty'): Promise<PersonEnd> {
    const context = this.#context;
    const created = this.#applying.did === 'created' || this.#remembered?.created === true;
    const pending = pendingBelongings(context, this.#person, this.#remembered, created);
    const comments = pendingComments(context, this.#person);
    if (Object.keys(pending).length === 0 && comments.length === 0) return this.#end(contact, {});
    const { createdAt = context.clock.now(), aside } = this.#applying;
    const ready = contact ?? (await whenReady(context, this.#person, createdAt, aside));
    if (!('id' in ready)) return this.#failed(ready.message);
    const end = await bringBelongings(context, {
      person: this.#person,
      contact: ready,
      created,
      remembered: this.#remembered !== undefined,
      newSince: this.#applying.createdAt,
      leftOut: this.#applying.leftOut,
      only,
      pending,
      comments,
      aside,
    });
    return this.#end(ready, end);
  }

  #end(contact: Contact | null, more: Partial<BelongingsEnd>): PersonEnd {
    const { did, notes } = this.#applying;
    const { failures = [], uncertain = false } = more;
    const outcome = did ?? (more.did === true ? 'updated' : 'unchanged');
    return {
      outcome: failures.length > 0 ? 'failed' : uncertain ? 'uncertain' : outcome,
      contact: contact?.id ?? null,
      problems: [...failures, ...notes, ...(more.notes ?? []), ...this.#person.draft.dropped],
      remember: this.#applying.remembering(contact, more.applied ?? {}),
      tagged: more.tagged,
      also: more.also ?? [],
    };
  }

  #unchanged(): PersonEnd {
    const [contact = null] = this.#remembered?.contacts ?? [];
    const pending = pendingComments(this.#context, this.#person);
    const edited = pending
      .filter(({ comment, known }) => known?.text !== hashOf(comment.text))
      .map(
        ({ comment }): Problem => ({
          code: 'comments.edited',
          column: null,
          reason: `comment ${comment.id} was left out: its text has changed since, and a comment cannot be changed`,
        }),
      );
    return {
      outcome: 'unchanged',
      contact,
      problems: [...edited, ...this.#person.draft.dropped],
      remember: this.#applying.remembering(null, {}),
    };
  }

  #rejected(problems: readonly Problem[], contact: number | null = null): PersonEnd {
    return { outcome: 'rejected', contact, problems: [...problems, ...this.#person.draft.dropped] };
  }

  #failed(message: string): PersonEnd {
    const problem = { code: 'workspace.failed', column: null, reason: message };
    const applied = this.#applying.did === undefined ? undefined : this.#applying.remembering(null, {});
    return {
      outcome: 'failed',
      contact: null,
      problems: [problem, ...this.#person.draft.dropped],
      remember: applied,
    };
  }
}

function givenUpLater({ id }: Contact): Problem {
  const reason = `it leads to contact ${id}, which is somebody else's of this input who has another e-mail or phone now; that row comes later, so a retry of this one finds it done`;
  return { code: 'identity.conflict', column: null, reason };
}

function idsOf(found: Found): readonly number[] {
  return [...new Set(found.map(({ contact }) => contact.id))].sort((a, b) => a - b);
}

function firstOf(found: Found): Contact {
  const [first] = found;
  if (first === undefined) throw new Error('nobody was found');
  return first.contact;
}

function refusal(message: string): Problem {
  return { code: 'workspace.refused', column: null, reason: `the workspace refused it: ${message}` };
}
