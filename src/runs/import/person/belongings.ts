import type { TaggedRecord } from '../../../journal/index.ts';
import type { Problem } from '../../../model/problem.ts';
import { assignContact, planAssign } from '../../../steps/assign-contact.ts';
import { attachTags, planAttachTags } from '../../../steps/attach-tags.ts';
import type { Operation } from '../../../steps/operation.ts';
import { planConversation, setConversation } from '../../../steps/set-conversation.ts';
import { planLifecycle, setLifecycle } from '../../../steps/set-lifecycle.ts';
import type { StepPlan } from '../../../steps/step-plan.ts';
import type { ImportContext } from '../context.ts';
import { performReady, settleStep } from '../step.ts';
import { type BelongingsEnd, type BelongingsWork, type Failed, failure } from './belongings-work.ts';
import { bringComments } from './comments.ts';
import type { BelongingName } from './delta.ts';

/** Carries out what belongs to a contact, one step after the other; a step that fails does not keep the next from being done. */
export async function bringBelongings(context: ImportContext, work: BelongingsWork): Promise<BelongingsEnd> {
  const steps = new Belongings(context, work);
  await steps.tags();
  await steps.lifecycle();
  const comments = await bringComments(context, work);
  await steps.assignee();
  await steps.conversation();
  return {
    ...comments,
    did: steps.did || comments.did,
    failures: [...steps.failures, ...comments.failures],
    notes: [...steps.notes, ...comments.notes],
    applied: steps.applied,
    tagged: steps.tagged,
  };
}

class Belongings {
  readonly #context: ImportContext;
  readonly #work: BelongingsWork;
  did = false;
  tagged: TaggedRecord | undefined;
  readonly failures: Problem[] = [];
  readonly notes: Problem[] = [];
  readonly applied: { [B in BelongingName]?: string } = {};

  constructor(context: ImportContext, work: BelongingsWork) {
    this.#context = context;
    this.#work = work;
  }

  async tags(): Promise<void> {
    const { person, contact, pending } = this.#work;
    const { attachTags: extension } = this.#context;
    if (pending.tags === undefined) return;
    if (extension !== undefined) {
      await this.#step('tags', attachTags(extension), planAttachTags(person.draft, contact));
      return;
    }
    const tags = person.draft.tags ?? [];
    this.tagged = { contact: contact.id, email: this.#has('email'), phone: this.#has('phone'), tags };
    this.applied.tags = pending.tags;
  }

  async lifecycle(): Promise<void> {
    const { person, contact, created, only } = this.#work;
    const { stages, allowBackward } = this.#context.belongings;
    const rules = { ...(stages && { stages }), allowBackward, only, created };
    await this.#step('lifecycle', setLifecycle, planLifecycle(person.draft, contact, rules));
  }

  async assignee(): Promise<void> {
    const { person, contact, created, only } = this.#work;
    await this.#step('assignee', assignContact, planAssign(person.draft, contact, { only, created }));
  }

  async conversation(): Promise<void> {
    const { person, contact, created } = this.#work;
    const existing = this.#context.belongings.existingConversations;
    await this.#step(
      'conversation',
      setConversation,
      planConversation(person.draft, contact, { created, existing }),
    );
  }

  /** What the contact has now: the row's value where it was sent. */
  #has(identifier: 'email' | 'phone'): string | null {
    const { person, contact, only, leftOut } = this.#work;
    const there = contact[identifier];
    if (identifier === leftOut || (only === 'empty' && there !== null)) return there;
    return person.draft.values.contact[identifier] ?? there;
  }

  async #step<E>(name: BelongingName, operation: Operation<E>, plan: StepPlan<E>): Promise<void> {
    const { pending, only, created } = this.#work;
    const hash = pending[name];
    if (hash === undefined) return;
    const end = (await this.#settled(operation)) ?? (await this.#perform(operation, plan));
    switch (end) {
      case 'done':
        this.did = true;
        this.applied[name] = hash;
        return;
      case 'stands':
        // Under `fill` nobody knows whether it is the row's wish that stands there: looked at again by the next run.
        if (only === 'changed' || created) this.applied[name] = hash;
        return;
      default:
        this.failures.push(failure(name, end));
    }
  }

  /** What became of the step in an earlier session of this run; undefined where it did not take effect. */
  async #settled<E>(operation: Operation<E>): Promise<'done' | Failed | undefined> {
    const open = this.#work.person.open.find((step) => step.name === operation.name);
    if (open?.state === 'acked') return 'done';
    if (open?.state !== 'sent') return undefined;
    const effect = operation.parse(open.intent);
    const { journal } = this.#context;
    // It may still arrive: later rows of this contact must wait for it.
    journal.mayShowLate(operation.overtakes(effect));
    const end = await settleStep(this.#context, this.#stepOf(operation, effect), journal.begunAt);
    if (end?.kind === 'done') return 'done';
    return end?.kind === 'failed' ? end : undefined;
  }

  async #perform<E>(operation: Operation<E>, plan: StepPlan<E>): Promise<'done' | 'stands' | Failed> {
    if (plan.kind === 'left') this.notes.push(plan.note);
    if (plan.kind !== 'effect') return 'stands';
    const { newSince } = this.#work;
    const end = await performReady(this.#context, this.#stepOf(operation, plan.effect), newSince);
    return end.kind === 'done' ? 'done' : end;
  }

  #stepOf<E>(operation: Operation<E>, effect: E) {
    const { person, aside } = this.#work;
    return { seq: person.carrier.seq, operation, effect, aside };
  }
}
