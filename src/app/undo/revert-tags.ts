import {
  deleteKnownTag,
  listWorkspaceSteps,
  storeKnownTag,
  type WorkspaceStep,
} from '../../journal/index.ts';
import { readTagAsEnsureEffect, tagDeleteStep } from '../../steps/delete-tag.ts';
import { tagEnsureStep } from '../../steps/ensure-tag.ts';
import type { WorkspaceReads } from '../../steps/port.ts';
import type { Step } from '../../steps/step.ts';
import { performStep, runLevelSeq, settleStep } from '../run/step.ts';
import type { UndoContext } from './context.ts';

/**
 * Reverts a run's changes to the workspace's tags: deletes the tags that the run created, if asked to, and creates the
 * tags again that the run deleted.
 */
export async function revertWorkspaceTags(context: UndoContext, target: number): Promise<void> {
  const { file, journal, asked } = context;
  const own = listWorkspaceSteps(file, journal.run.number);
  for (const step of listWorkspaceSteps(file, target).filter(({ state }) => state === 'acked')) {
    context.signal.throwIfAborted();
    if (step.name === tagEnsureStep.name && step.created === true && asked.deleteTags) {
      const { name } = tagEnsureStep.parse(step.intent);
      await once(context, own, tagDeleteStep, { name }, () => tagBefore(context, name));
    }
    if (step.name === tagDeleteStep.name) {
      const effect = tagEnsureStep.parse(step.before);
      await once(context, own, tagEnsureStep, effect, () => Promise.resolve({ before: null }));
    }
  }
}

/** Returns the definition of a tag before its deletion, or the reason not to delete it. */
async function tagBefore(context: UndoContext, name: string): Promise<Before> {
  const carriedBy = await findTaggedContact(context, name);
  if (typeof carriedBy === 'number' || carriedBy === 'unknown') return { carriedBy };
  const before = await readTagAsEnsureEffect(context.workspace, name);
  return before === undefined ? { carriedBy: 'gone' } : { before };
}

/**
 * The definition of a tag, or the reason not to delete it: the id of a contact that has it, `unknown` if the contacts
 * could not be listed, or `gone` if the tag does not exist or could not be read.
 */
type Before = { readonly before: unknown } | { readonly carriedBy: number | 'unknown' | 'gone' };

/** Returns the id of a contact with the tag; undefined without one, `unknown` if the workspace refused to list. */
export async function findTaggedContact(
  { workspace }: { readonly workspace: Pick<WorkspaceReads, 'contacts'> },
  name: string,
): Promise<number | 'unknown' | undefined> {
  const carries = { category: 'contactTag', field: '', operator: 'hasAnyOf', value: name } as const;
  const answer = await workspace.contacts.list({ limit: 1, filter: { $and: [carries] } });
  return answer.kind === 'ok' ? answer.value.items[0]?.id : 'unknown';
}

/**
 * Runs a step on a tag, unless an earlier session of this undo has completed it or recorded its refusal. If `look`
 * finds a reason against the step, records it with this reason and does not send it.
 */
async function once<E extends { readonly name: string }>(
  context: UndoContext,
  own: readonly WorkspaceStep[],
  step: Step<E>,
  effect: E,
  look: () => Promise<Before>,
): Promise<void> {
  const { file, journal } = context;
  const item = effect.name.toLowerCase();
  const { workspace } = journal.run;
  const isDeleted = step.name === tagDeleteStep.name;
  const remember = {
    sent: () => undefined,
    acked: () => (isDeleted ? deleteKnownTag : storeKnownTag)(file, workspace, item),
    notSent: () => undefined,
  };
  const sent = {
    seq: runLevelSeq,
    item,
    step,
    effect,
    withoutSlot: <T>(wait: () => Promise<T>) => wait(),
    remember,
  };
  const earlier = own.find((each) => each.name === step.name && each.item === item);
  if (earlier?.state === 'acked' || earlier?.state === 'refused') return;
  if (earlier?.state === 'sent' && (await settleStep(context, sent)) !== undefined) return;
  const looked = await look();
  if ('carriedBy' in looked) {
    const name = { seq: runLevelSeq, name: step.name, item };
    await journal.intend({ ...name, state: 'planned', intent: effect, before: looked, sentAt: null }, []);
    return;
  }
  await performStep(context, { ...sent, before: looked.before });
}
