import { type JournalFile, openSteps } from '../../journal/index.ts';
import type { CustomField, NewCustomField } from '../../model/custom-field.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { ensureField, readCustomFields } from '../../steps/ensure-field.ts';
import { type PlannedStep, performStep, runSeq, type StepContext, settleStep } from './step.ts';

/**
 * Creates the custom fields that the mapping may create and that are not there, each once, before the rows; returns the
 * workspace's fields as they are then.
 */
export async function ensureFields(
  context: StepContext,
  file: JournalFile,
  missing: readonly NewCustomField[],
  known: readonly CustomField[],
): Promise<readonly CustomField[]> {
  const earlier = openSteps(file, context.journal.run.number, runSeq, runSeq + 1).filter(
    ({ name, state }) => name === ensureField.name && state === 'sent',
  );
  for (const step of earlier) {
    if (known.some(({ name }) => name === step.item)) context.journal.mark(step, 'acked');
  }
  if (missing.length === 0) return known;
  for (const field of missing) {
    const step: PlannedStep<NewCustomField> = {
      seq: runSeq,
      item: field.name,
      step: ensureField,
      effect: field,
      before: null,
      withoutSlot: (wait) => wait(),
    };
    const wasSent = earlier.some(({ item }) => item === field.name);
    const settled = wasSent ? await settleStep(context, step, context.journal.begunAt) : undefined;
    const end = settled ?? (await performStep(context, step));
    if (end.kind !== 'done') throw notCreated(field, 'message' in end ? end.message : end.kind);
  }
  return await readCustomFields(context.workspace);
}

function notCreated(field: NewCustomField, message: string): FatalError {
  return new FatalError(
    'usage',
    `the custom field "${field.name}" (${field.dataType}) could not be created: ${message}. No row was sent.`,
    { next: 'Create it in the workspace, or change its rule in the mapping; then import again.' },
  );
}
