import { type Decision, decide } from '../../identity/decide.ts';
import { type Found, identifiersOf, lookUp } from '../../identity/look-up.ts';
import type { RowRecord, StepRecord, StepState } from '../../journal/index.ts';
import type { Contact } from '../../model/contact.ts';
import type { Draft } from '../../model/draft.ts';
import { byId, type Identifier, identifierText } from '../../model/identifier.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Problem } from '../../model/problem.ts';
import type { Row } from '../../model/row.ts';
import { createContact, planCreate } from '../../operations/create-contact.ts';
import type { Operation } from '../../operations/operation.ts';
import { planUpdate, type UpdateEffect, updateContact } from '../../operations/update-contact.ts';
import type { ImportContext } from './context.ts';
import { performStep, type StepEnd, settleStep } from './step.ts';
import { askUntil, newContactBackoff, queuedBackoff } from './waits.ts';

/** A row that became a draft, with what an interrupted run left of it in the air. */
export interface RowWork {
  readonly seq: number;
  readonly row: Row;
  readonly draft: Draft;
  readonly open: readonly StepRecord[];
}

/** How a row ended, with the state of the step it ended with. */
export interface RowEnd {
  readonly record: RowRecord;
  readonly step: { readonly name: string; readonly state: StepState } | undefined;
}

/** Somebody else may change the same person meanwhile; after so many turns the row fails instead of chasing them. */
const mostTurns = 4;

/** Decides and does what one row asks for; holds a place in the pool, and waits aside. */
export class RowRun {
  readonly #context: ImportContext;
  readonly #work: RowWork;
  readonly #identifiers: readonly Identifier[];
  readonly #updating: Operation<UpdateEffect>;
  /** What this row has already brought about, in this process or before it was interrupted. */
  #did: 'created' | 'updated' | undefined;
  /** The contact to which this row's own update may be on its way. */
  #own: number | undefined;
  #step: { readonly name: string; readonly state: StepState } | undefined;
  /** What the workspace said when it refused the create. */
  #refusal: string | undefined;

  constructor(context: ImportContext, work: RowWork) {
    this.#context = context;
    this.#work = work;
    this.#identifiers = identifiersOf(work.draft, context.policy.identify);
    this.#updating = updateContact(context.rules);
  }

  async run(): Promise<RowEnd> {
    const settled = await this.#settleOpen();
    if (settled !== undefined) return settled;
    for (let turn = 0; turn < mostTurns; turn += 1) {
      const looked = await this.#lookUp();
      if ('record' in looked) return looked;
      const end = await this.#act(decide(looked.found, this.#context.policy.onMatch));
      if (end !== undefined) return end;
    }
    return this.#failed('the contact changed again and again while this row was being applied');
  }

  /** Does what was decided; undefined where the person must be looked up again. */
  async #act(decision: Decision): Promise<RowEnd | undefined> {
    if (decision.kind === 'create') return await this.#create();
    if (this.#did === 'created') return await this.#complete(decision.contact);
    switch (decision.kind) {
      case 'reject':
        return this.#end('rejected', decision.contact.id, [decision.problem]);
      case 'skip':
        return this.#end(this.#did ?? 'skipped', decision.contact.id);
      case 'update':
        return await this.#update(decision.contact, decision.only);
    }
  }

  /** Finds out what became of the steps that an interrupted run may have sent. */
  async #settleOpen(): Promise<RowEnd | undefined> {
    for (const open of this.#work.open) {
      const isCreate = open.name === createContact.name;
      if (open.state === 'sent') {
        if (!isCreate) this.#noteInTheAir(open);
        const end = await (isCreate ? this.#settle(open, createContact) : this.#settle(open, this.#updating));
        if (end?.kind === 'failed') return this.#failed(end.message);
        if (end?.kind !== 'done') continue;
      } else if (open.state !== 'acked') continue;
      this.#did ??= isCreate ? 'created' : 'updated';
      this.#step = { name: open.name, state: 'acked' };
    }
    return undefined;
  }

  /** What an earlier session sent may still arrive: later rows of this contact must wait for it, this one need not. */
  #noteInTheAir(open: StepRecord): void {
    const effect = this.#updating.parse(open.intent);
    this.#own = effect.contactId;
    this.#context.journal.mayShowLate(this.#updating.overtakes(effect));
  }

  #settle<E>(open: StepRecord, operation: Operation<E>): Promise<StepEnd | undefined> {
    const step = { seq: open.seq, operation, effect: operation.parse(open.intent), aside: this.#aside };
    return settleStep(this.#context, step, this.#context.journal.begunAt);
  }

  readonly #aside = <T>(wait: () => Promise<T>): Promise<T> => this.#context.pool.aside(wait);

  /** Looks the person up; somebody whom this work dir has just created is waited for until readable. */
  async #lookUp(): Promise<{ readonly found: Found } | RowEnd> {
    const { clock, signal, limits } = this.#context;
    const askedAt = clock.now();
    const first = await this.#read();
    const since = this.#createdAt();
    if ('record' in first || first.found.length > 0 || since === undefined) return first;
    // Believed by when it was asked: one of the answers may have come long after the other.
    if (askedAt >= since + limits.settleMs) return first;
    const later = await this.#aside(() =>
      askUntil(clock, signal, newContactBackoff(limits.settleMs), since, async () => {
        const again = await this.#read();
        return 'record' in again || again.found.length > 0 ? again : undefined;
      }),
    );
    return later ?? first;
  }

  /** When somebody with one of the identifiers was last sent to be created. */
  #createdAt(): number | undefined {
    let latest: number | undefined;
    for (const identifier of this.#identifiers) {
      const sentAt = this.#context.journal.lastSentAbout(identifierText(identifier));
      if (sentAt !== undefined && (latest === undefined || sentAt > latest)) latest = sentAt;
    }
    return latest;
  }

  async #read(): Promise<{ found: Found } | RowEnd> {
    const { workspace, clock, signal } = this.#context;
    const { emailAsWritten } = this.#work.draft;
    const ask = () =>
      lookUp((identifier) => workspace.contacts.read(identifier), this.#identifiers, emailAsWritten);
    let answer = await ask();
    if (answer.kind === 'queued') {
      const since = clock.now();
      const later = await this.#aside(() =>
        askUntil(clock, signal, queuedBackoff, since, async () => {
          const again = await ask();
          return again.kind === 'queued' ? undefined : again;
        }),
      );
      answer = later ?? answer;
    }
    if (answer.kind === 'ok') return { found: answer.value };
    if (answer.kind === 'refused') return this.#end('rejected', null, [refused(answer.message)]);
    return this.#failed(`the contact could not be looked up: ${answer.message}`);
  }

  async #create(): Promise<RowEnd | undefined> {
    // Acknowledged, or read already: sent again it would be a second contact.
    if (this.#did === 'created') return this.#failed('it was created, and then it was not there');
    if (this.#refusal !== undefined) return this.#end('rejected', null, [refused(this.#refusal)]);
    const plan = planCreate(this.#work.draft, this.#identifiers);
    if (!plan.ok) return this.#end('rejected', null, [plan.problem]);
    const end = await performStep(this.#context, {
      seq: this.#work.seq,
      operation: createContact,
      effect: plan.effect,
      aside: this.#aside,
    });
    switch (end.kind) {
      case 'done':
        this.#did = 'created';
        this.#step = { name: createContact.name, state: 'acked' };
        // Settled by reading: then what stands there is known, and may lack something.
        return end.contact === null ? this.#end('created', null) : await this.#complete(end.contact);
      case 'other':
        return undefined;
      case 'refused':
      case 'absent':
        // Somebody may have created the person in between: looked up once more before it is believed.
        this.#refusal = end.message;
        return undefined;
      case 'failed':
        return this.#failed(end.message);
    }
  }

  /** The person is there because this row created them; where something is missing, an update adds it. */
  async #complete(contact: Contact): Promise<RowEnd> {
    if (this.#step !== undefined)
      this.#context.journal.mark(this.#work.seq, this.#step.name, this.#step.state);
    const { onMatch } = this.#context.policy;
    if (onMatch === 'skip' || onMatch === 'reject') return this.#end('created', contact.id);
    return (
      (await this.#update(contact, onMatch === 'fill' ? 'empty' : 'changed')) ??
      this.#end('created', contact.id)
    );
  }

  async #update(contact: Contact, only: 'changed' | 'empty'): Promise<RowEnd | undefined> {
    const context = this.#context;
    const { seq, draft } = this.#work;
    if (contact.id !== this.#own && (await this.#letArrive(contact))) return undefined;
    const plan = planUpdate(draft, contact, context.rules, only);
    if (plan.kind === 'problem') return this.#end('rejected', contact.id, [plan.problem]);
    if (plan.kind === 'nothing') {
      if (contact.id === this.#own) this.#updated();
      return this.#end(this.#did ?? 'unchanged', contact.id);
    }
    const end = await performStep(context, {
      seq,
      operation: this.#updating,
      effect: plan.effect,
      aside: this.#aside,
    });
    switch (end.kind) {
      case 'done':
        this.#updated();
        return this.#end(this.#did ?? 'updated', contact.id);
      case 'absent':
      case 'other':
        return undefined;
      case 'refused':
        return this.#did === undefined
          ? this.#end('rejected', contact.id, [refused(end.message)])
          : this.#failed(end.message);
      case 'failed':
        return this.#failed(end.message);
    }
  }

  #updated(): void {
    this.#did ??= 'updated';
    this.#step = { name: this.#updating.name, state: 'acked' };
  }

  /** Waits until an earlier row's update that lost its answer has arrived or never will; false where there is none. */
  async #letArrive(contact: Contact): Promise<boolean> {
    const { journal, clock, signal, limits } = this.#context;
    const sentAt = journal.lastSentAbout(identifierText(byId(contact.id)));
    const left = sentAt === undefined ? 0 : sentAt + limits.settleMs - clock.now();
    if (left <= 0) return false;
    await this.#aside(() => clock.sleep(left, signal));
    return true;
  }

  #failed(message: string): RowEnd {
    return this.#end('failed', null, [{ code: 'workspace.failed', column: null, reason: message }]);
  }

  #end(outcome: Outcome, contact: number | null, problems: readonly Problem[] = []): RowEnd {
    const { seq, row, draft } = this.#work;
    const cells = outcome === 'rejected' || outcome === 'failed' ? row.entries() : null;
    return {
      record: {
        seq,
        line: row.line,
        outcome,
        key: draft.key,
        contact,
        problems: [...problems, ...draft.dropped],
        cells,
        raw: null,
      },
      step: this.#step,
    };
  }
}

function refused(message: string): Problem {
  return { code: 'workspace.refused', column: null, reason: `the workspace refused it: ${message}` };
}
