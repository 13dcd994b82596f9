import * as z from 'zod';
import { belongingShape, columnName } from './field-rule.ts';

const user = z.union([z.string().min(1), z.number()]);

/** `assignee:` */
export const assignee = z
  .strictObject({
    from: z
      .union([columnName, z.array(columnName).min(1)])
      .describe('The input column, or several: the first that is not empty is taken.'),
    ...belongingShape,
    users: z
      .record(z.string(), user)
      .optional()
      .describe(
        'Names in the legacy CRM to e-mail addresses, ids or names of users, without regard to case.',
      ),
    unknown: z
      .union([z.enum(['unassigned', 'reject']), ...user.options])
      .optional()
      .describe(
        'What a user that nobody knows does: leave the assignee alone (unassigned, unless stated), reject the row, or name the user who gets the contact instead by e-mail address, id or name.',
      ),
    empty: z
      .enum(['keep', 'clear'])
      .optional()
      .describe('An empty cell leaves the assignee alone (unless stated), or unassigns the contact.'),
  })
  .describe('The user a contact is assigned to.');

export type AssigneeRule = z.output<typeof assignee>;
