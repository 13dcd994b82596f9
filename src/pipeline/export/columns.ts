import * as z from 'zod';
import type { ExportColumnType } from '../../model/export-record.ts';
import { formatDidYouMean } from '../../model/nearest.ts';

/** The paths that columns of contacts can have, besides those of custom fields, with their types. */
export const contactColumnTypesByPath: Readonly<Record<string, ExportColumnType>> = {
  id: 'integer',
  firstName: 'text',
  lastName: 'text',
  email: 'text',
  phone: 'text',
  language: 'text',
  countryCode: 'text',
  profilePic: 'text',
  lifecycle: 'text',
  assignee: 'json',
  'assignee.id': 'integer',
  'assignee.firstName': 'text',
  'assignee.lastName': 'text',
  'assignee.email': 'text',
  status: 'text',
  isBlocked: 'boolean',
  created: 'moment',
  tags: 'texts',
  customFields: 'json',
};

/** The paths that columns of messages can have, with their types. */
export const messageColumnTypesByPath: Readonly<Record<string, ExportColumnType>> = {
  id: 'integer',
  contactId: 'integer',
  created: 'moment',
  direction: 'text',
  sender: 'text',
  type: 'text',
  text: 'text',
  channelId: 'integer',
  status: 'text',
  channelMessageId: 'text',
  messageTag: 'text',
  senderSource: 'text',
  senderUserId: 'text',
  senderTeamId: 'text',
  pendingAt: 'moment',
  sentAt: 'moment',
  deliveredAt: 'moment',
  readAt: 'moment',
  failedAt: 'moment',
  failure: 'text',
  message: 'json',
};

/** The prefix of a custom field in a column path or a filter. */
export const customFieldPrefix = 'customFields.';

// JavaScript orders integer keys of an object before all others, so such a heading would lose its position.
const heading = z
  .string()
  .min(1, 'a column name must not be empty')
  .regex(
    /^(?!(?:0|[1-9]\d*)$)/,
    'a column name that is only a number cannot keep its place; use another name',
  );

/** The schema of `columns:` of contacts: paths by column heading. */
export const contactColumnsSchema = columnsOf(
  pathOf('a contact', contactColumnTypesByPath, customFieldPrefix).meta({
    anyOf: [{ enum: Object.keys(contactColumnTypesByPath) }, { pattern: '^customFields\\..+' }],
  }),
);

/** The schema of `columns:` of messages: paths by column heading. */
export const messageColumnsSchema = columnsOf(
  pathOf('a message', messageColumnTypesByPath).meta({ enum: Object.keys(messageColumnTypesByPath) }),
);

function columnsOf<P extends z.ZodType<string>>(path: P) {
  return z
    .record(heading, path)
    .refine(
      (columns) => Object.keys(columns).length > 0,
      'list at least one column, or leave columns out for all',
    )
    .optional()
    .describe('Name: path, in the order of the columns. Left out: all columns.');
}

function pathOf(whose: string, paths: Readonly<Record<string, unknown>>, prefix?: string) {
  const known = Object.keys(paths);
  const more = prefix === undefined ? '' : `, and ${prefix}NAME`;
  return z.string().superRefine((path, context) => {
    if (known.includes(path)) return;
    if (prefix !== undefined && path.startsWith(prefix) && path !== prefix) return;
    const meant = formatDidYouMean(path, known) || `; known are ${known.join(', ')}${more}`;
    context.addIssue({
      code: 'custom',
      message: `${JSON.stringify(path)} is not a property of ${whose}${meant}`,
    });
  });
}
