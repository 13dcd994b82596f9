import * as z from 'zod';
import { formatDidYouMean } from '../../model/nearest.ts';
import { createMistakeReporter } from '../document/mistake.ts';
import { checkFieldRule, contactStepRuleShape, fieldRuleShape } from './field-rule.ts';

const shape = z.strictObject({
  from: fieldRuleShape.from,
  ...contactStepRuleShape,
  strict: fieldRuleShape.strict,
  onInvalid: fieldRuleShape.onInvalid,
  default: z.string().min(1).optional().describe('The stage of a new contact if the row has none.'),
  empty: z
    .enum(['keep', 'clear'])
    .optional()
    .describe('An empty cell leaves the stage alone (the default), or clears it.'),
  stages: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('All stages in order, without regard to case; any other is rejected as lifecycle.unknown.'),
  allowBackward: z
    .boolean()
    .optional()
    .describe('Also sets a stage that comes before the one the contact is in.'),
});

/** The schema of `lifecycle:`. */
export const lifecycleRuleSchema = shape
  .superRefine(checkFieldRule)
  .superRefine(checkStages)
  .describe("The contact's lifecycle stage.");

export type LifecycleRule = z.output<typeof lifecycleRuleSchema>;

/**
 * Notes a mistake for each stage that is listed twice, and for each one in `values` or `default` that is missing in
 * `stages`.
 */
function checkStages(rule: z.output<typeof shape>, context: z.RefinementCtx): void {
  const { stages, values, default: otherwise } = rule;
  if (stages === undefined) return;
  const note = createMistakeReporter(context);
  const known = new Set<string>();
  for (const [index, stage] of stages.entries()) {
    if (known.has(stage.toLowerCase())) note(['stages', index], 'this stage is listed twice');
    known.add(stage.toLowerCase());
  }
  const named = Object.entries(values ?? {}).map(([cell, stage]) => [['values', cell], stage] as const);
  for (const [path, stage] of [...named, [['default'], otherwise] as const]) {
    if (stage === null || stage === undefined || stage === '') continue;
    if (known.has(String(stage).toLowerCase())) continue;
    const meant = formatDidYouMean(String(stage), stages);
    note(path, `${JSON.stringify(stage)} is not one of the stages${meant}`);
  }
}
