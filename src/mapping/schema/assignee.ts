import * as z from 'zod';
import { columnNameSchema, contactStepRuleShape } from './field-rule.ts';

const user = z.union([z.string().min(1), z.number()]);

/** The schema of `assignee:`. */
export const assigneeRuleSchema = z
  .strictObject({
    from: z
      .union([columnNameSchema, z.array(columnNameSchema).min(1)])
      .describe('The input column, or several: the first that is not empty is taken.'),
    ...contactStepRuleShape,
    users: z
      .record(z.string(), z.union([...user.options, z.null()]))
      .optional()
      .describe(
        'Names in the legacy CRM to e-mail addresses, ids or names of users, without regard to case; null means unassigned: such a row counts as one without an owner.',
      ),
    unknown: z
      .union([z.enum(['unassigned', 'reject']), ...user.options])
      .optional()
      .describe(
        'What an unknown user does: leave the assignee alone (unassigned, the default), reject the row, or give the contact to this user (e-mail address, id or name).',
      ),
    empty: z
      .enum(['keep', 'clear'])
      .optional()
      .describe('An empty cell leaves the assignee alone (the default), or unassigns the contact.'),
  })
  .describe('The user that the contact is assigned to.');

export type AssigneeRule = z.output<typeof assigneeRuleSchema>;
