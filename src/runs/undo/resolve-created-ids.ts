import { type LastingStep, lastingStepsAfter, noteContact, type RunRecord } from '../../journal/index.ts';
import { createContact } from '../../steps/create-contact.ts';
import type { CallWaits } from '../../workspace/index.ts';
import { atOnce } from '../at-once.ts';
import type { UndoContext } from './context.ts';

const pageSize = 500;

/** Looks up the ids of contacts that the run created and nobody has met since: whoever deletes them by hand needs the ids. */
export async function resolveCreatedIds(
  context: UndoContext,
  target: RunRecord,
  concurrency: number,
): Promise<void> {
  await atOnce(concurrency, unmet(context, target), async (step, withoutSlot) => {
    context.signal.throwIfAborted();
    await resolveId(context, target, step, { withoutSlot });
  });
}

function* unmet({ file }: UndoContext, target: RunRecord): Generator<LastingStep> {
  for (let after: Pick<LastingStep, 'seq' | 'name' | 'item'> = { seq: -1, name: '\uffff', item: '' }; ; ) {
    const steps = lastingStepsAfter(file, target, after, pageSize);
    const last = steps.at(-1);
    if (last === undefined) return;
    after = last;
    yield* steps.filter(
      ({ name, contact, state }) => name === createContact.name && contact === null && state === 'acked',
    );
  }
}

async function resolveId(
  { workspace, wrote, file }: UndoContext,
  target: RunRecord,
  step: LastingStep,
  waits: CallWaits,
): Promise<void> {
  const [identifier] = createContact.parse(step.intent).identifiers;
  if (identifier === undefined) return;
  const answer = await workspace.contacts.read(identifier, { waits });
  if (answer.kind === 'ok' && wrote.isOwn(answer.value))
    noteContact(file, target.number, step.seq, answer.value.id);
}
