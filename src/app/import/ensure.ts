import {
  isKnownTag,
  type JournalDatabase,
  listStepsOfUnfinishedItems,
  storeKnownTag,
} from '../../journal/index.ts';
import type { Mapping } from '../../mapping/index.ts';
import type { CustomField, NewCustomField } from '../../model/custom-field.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { customFieldEnsureStep, readCustomFields } from '../../steps/ensure-field.ts';
import { type EnsureTagEffect, tagEnsureStep } from '../../steps/ensure-tag.ts';
import type { RunListener } from '../run/events.ts';
import {
  type PlannedStep,
  performStep,
  runLevelSeq,
  type StepContext,
  type StepResult,
  settleStep,
} from '../run/step.ts';

/**
 * Creates the missing custom fields, each once, and returns the workspace's fields after that. Throws a FatalError if
 * one cannot be created.
 */
export async function ensureCustomFields(
  context: StepContext,
  file: JournalDatabase,
  missing: readonly NewCustomField[],
  known: readonly CustomField[],
): Promise<readonly CustomField[]> {
  const earlier = listStepsOfUnfinishedItems(
    file,
    context.journal.run.number,
    runLevelSeq,
    runLevelSeq + 1,
  ).filter(({ name, state }) => name === customFieldEnsureStep.name && state === 'sent');
  for (const step of earlier) {
    if (known.some(({ name }) => name === step.item)) context.journal.mark(step, 'acked');
  }
  if (missing.length === 0) return known;
  for (const field of missing) {
    const step: PlannedStep<NewCustomField> = {
      seq: runLevelSeq,
      item: field.name,
      step: customFieldEnsureStep,
      effect: field,
      before: null,
      withoutSlot: (wait) => wait(),
    };
    const wasSent = earlier.some(({ item }) => item === field.name);
    const settled = wasSent ? await settleStep(context, step) : undefined;
    const end = settled ?? (await performStep(context, step));
    assertNotLimited(end, `the custom field "${field.name}" could not be created`);
    if (end.kind !== 'done') throw notCreated(field, 'message' in end ? end.message : end.kind);
  }
  return await readCustomFields(context.workspace);
}

function notCreated(field: NewCustomField, message: string): FatalError {
  return new FatalError(
    'usage',
    `the custom field "${field.name}" (${field.dataType}) could not be created: ${message}. No row was sent.`,
    {
      next: 'Create it in the workspace and resume; or change its rule in the mapping and import again with --fresh.',
    },
  );
}

/**
 * Ensures that the workspace has each of the tags. A tag that was ensured before is requested again only if its
 * definition overwrites existing tags. Throws a FatalError if a tag cannot be created.
 */
export async function ensureTags(
  context: StepContext & { readonly listen: RunListener },
  file: JournalDatabase,
  names: Iterable<string>,
  rule: NonNullable<Mapping['tags']>,
): Promise<void> {
  const { workspace } = context.journal.run;
  const definitions = new Map(
    Object.entries(rule.define ?? {}).map(([name, definition]) => [name.toLowerCase(), definition]),
  );
  let asked = 0;
  for (const name of names) {
    const definition = definitions.get(name.toLowerCase());
    const overwrites = rule.overwrite === true && definition !== undefined;
    if (!overwrites && isKnownTag(file, workspace, name.toLowerCase())) continue;
    const effect: EnsureTagEffect = { name, ...definition, ...(overwrites && { overwrite: true }) };
    const end = await performStep(context, {
      seq: runLevelSeq,
      item: name.toLowerCase(),
      step: tagEnsureStep,
      effect,
      before: null,
      withoutSlot: (wait) => wait(),
    });
    assertNotLimited(end, `the tag "${name}" could not be created`);
    if (end.kind !== 'done') throw notEnsured(name, 'message' in end ? end.message : end.kind);
    storeKnownTag(file, workspace, name.toLowerCase());
    asked += 1;
    if (asked === 100)
      context.listen({ kind: 'note', text: 'Ensuring that the tags of the input exist, five a second …' });
  }
}

/**
 * Throws a FatalError (unreachable) for a 429, which is no fault of the mapping: the rest of the run would hit the same
 * limit.
 */
function assertNotLimited(end: StepResult, what: string): void {
  if (end.kind !== 'refused' || end.status !== 429) return;
  throw new FatalError('unreachable', `${what}: 429 ${end.message}. No row was sent.`, {
    next: 'Another client may be using up the limit. When it is less busy, run the same command again.',
  });
}

function notEnsured(name: string, message: string): FatalError {
  return new FatalError(
    'usage',
    `the tag "${name}" is not in the workspace and could not be created: ${message}. No row was sent.`,
    {
      next: 'Create it in the workspace and resume; or translate it under tags.values in the mapping (null leaves it out) and import again with --fresh.',
    },
  );
}
