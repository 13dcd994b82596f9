import { type JournalFile, openSteps } from '../../journal/index.ts';
import type { CustomField, NewCustomField } from '../../model/custom-field.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { ensureField, readCustomFields } from '../../operations/ensure-field.ts';
import { performStep, type Step, type StepContext, settleStep } from './step.ts';

/** Steps of the run itself stand below the rows. */
const firstSeq = -1_000_000;

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
  const earlier = openSteps(file, context.journal.run.number, firstSeq, 0);
  for (const { seq, state, intent } of earlier) {
    const { name } = ensureField.parse(intent);
    const isThere = known.some((field) => field.name === name);
    if (state === 'sent' && isThere) context.journal.mark(seq, ensureField.name, 'acked');
  }
  if (missing.length === 0) return known;
  for (const field of missing) {
    const before = earlier.find((step) => ensureField.parse(step.intent).name === field.name);
    const seq = before?.seq ?? firstSeq + earlier.length + missing.indexOf(field);
    const step: Step<NewCustomField> = {
      seq,
      operation: ensureField,
      effect: field,
      aside: (wait) => wait(),
    };
    const settled =
      before?.state === 'sent' ? await settleStep(context, step, context.journal.begunAt) : undefined;
    const end = settled ?? (await performStep(context, step));
    if (end.kind !== 'done') throw notCreated(field, 'message' in end ? end.message : end.kind);
    context.journal.mark(seq, ensureField.name, 'acked');
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
