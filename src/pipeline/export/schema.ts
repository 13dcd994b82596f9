import * as z from 'zod';
import type { Exporter } from '../../exporters/exporter.ts';
import { exporters } from '../../exporters/registry.ts';
import { createFormatUnionSchema } from '../by-format.ts';
import { notifySchema } from '../notify.ts';
import { durationSchema, shareOrCountSchema } from '../quantities.ts';
import { requestLimitsShape, workspaceSchema } from '../workspace.ts';
import { contactColumnsSchema, messageColumnsSchema } from './columns.ts';
import { destinationSchema, timezoneSchema } from './destination.ts';
import { filterSchema } from './filter.ts';

const expectation = z
  .strictObject({
    min: z.int().min(0).optional().describe('The minimum number.'),
    dropMax: shareOrCountSchema
      .optional()
      .describe('The largest drop since the export before: a share (20%) or a number.'),
  })
  .refine(({ min, dropMax }) => min !== undefined || dropMax !== undefined, 'set min, dropMax or both')
  .transform(({ min, dropMax }) => ({ min, dropMax }))
  .meta({ id: 'expectation' });

const expected = expectation.optional().describe('How many are expected.');

/** The kinds of objects whose number an export can require. */
const kinds = z.strictObject({
  contacts: expected,
  messages: expected,
  users: expected,
  customFields: expected,
  closingNotes: expected,
  tags: expected,
  templates: expected,
});

/** `expect:`, the numbers that an export must reach to be published. */
const expectSchema = kinds
  .prefault({})
  .describe('What the export must contain; otherwise it is not written and ends with exit code 4.');

const contactShape = {
  filter: filterSchema.optional().describe('Only contacts that meet all these conditions.'),
  search: z.string().min(1).optional().describe('Only contacts that the workspace finds by this text.'),
  incremental: z
    .boolean()
    .default(false)
    .describe('After the first export, changes.ndjson lists what changed.'),
};

const messageShape = {
  incremental: z
    .boolean()
    .default(false)
    .describe('After the first export only new messages are fetched and written.'),
  refresh: durationSchema
    .optional()
    .describe('How far back the statuses of messages are read again; only with incremental.'),
};

const noColumns = z
  .never('this format always writes everything; columns work with csv and other tables')
  .optional()
  .describe('This format writes everything.');

// In SQLite, `columns` shapes only the view of the contacts, and the tables always have everything, so there is no
// choice of columns for messages.
const withoutColumns = { contacts: ['ndjson'], messages: ['ndjson', 'sqlite'] };

/**
 * Returns true if a format lets the columns of contacts or messages be chosen; other formats write
 * everything.
 */
function hasColumns({ name }: Exporter, kind: keyof typeof withoutColumns): boolean {
  return !withoutColumns[kind].includes(name);
}

function formatOf({ name }: Exporter) {
  return z.literal(name).describe('The format of the file.');
}

function contactsIn(format: Exporter) {
  const columns = hasColumns(format, 'contacts') ? contactColumnsSchema : noColumns;
  return z.strictObject({ ...format.options.shape, ...contactShape, columns, format: formatOf(format) });
}

function messagesIn(format: Exporter) {
  const columns = hasColumns(format, 'messages') ? messageColumnsSchema : noColumns;
  return z
    .strictObject({ ...format.options.shape, ...messageShape, columns, format: formatOf(format) })
    .superRefine(({ incremental, refresh }, context) => {
      if (refresh === undefined || incremental) return;
      const message = 'an export that is not incremental reads all statuses; set incremental: true, too';
      context.addIssue({ code: 'custom', message, path: ['refresh'] });
    });
}

const contacts = createFormatUnionSchema(exporters, contactsIn).describe(
  'The contacts. Left out: they are read only for their messages.',
);

const messages = createFormatUnionSchema(exporters, messagesIn).describe('The messages of these contacts.');

const unique = (list: readonly unknown[]): boolean => new Set(list).size === list.length;
const once = 'each may be listed once';

const workspaceObjects = z
  .array(z.enum(['users', 'customFields', 'closingNotes', 'tags']))
  .refine(unique, once)
  .default([])
  .describe('Objects of the workspace itself; tags are those that contacts have.');

const templates = z
  .strictObject({
    channels: z.array(z.int().min(1)).min(1).refine(unique, once).describe('The ids of the channels.'),
  })
  .describe('The message templates of channels.');

const settings = z.strictObject({
  workspace: workspaceSchema.prefault({}).describe('What is exported.'),
  to: destinationSchema,
  keep: z
    .int()
    .min(1)
    .optional()
    .describe('How many complete exports are kept; older ones are removed. Left out: all are kept.'),
  timezone: timezoneSchema,
  contacts: contacts.optional(),
  messages: messages.optional(),
  workspaceObjects,
  templates: templates.optional(),
  expect: expectSchema,
  timeout: durationSchema.optional().describe('Stops the export after this time; it can be continued.'),
  continueWithin: durationSchema
    .prefault('12h')
    .describe('An unfinished export that started longer ago is started over, unless resume continues it.'),
  notify: notifySchema.optional(),
  limits: z.strictObject(requestLimitsShape).prefault({}).describe('Rates and time limits.'),
});

/** `export:` of a pipeline. */
export const exportSchema = settings
  .superRefine((given, context) => {
    const exported = exportedKinds(given);
    if (exported.size === 0) {
      const message = 'nothing is exported; set contacts, messages, workspaceObjects or templates';
      context.addIssue({ code: 'custom', message });
    }
    for (const kind of kinds.keyof().options) {
      const message = notExpectable(kind, given, exported);
      if (message !== undefined) context.addIssue({ code: 'custom', ...message });
    }
  })
  .describe('Exports the workspace into files.');

type Settings = z.output<typeof settings>;
type ExpectedKind = keyof Settings['expect'];

function exportedKinds({ contacts, messages, workspaceObjects, templates }: Settings): ReadonlySet<string> {
  const named = Object.entries({ contacts, messages, templates }).filter(([, value]) => value !== undefined);
  return new Set([...named.map(([kind]) => kind), ...workspaceObjects]);
}

function notExpectable(
  kind: ExpectedKind,
  { expect, messages }: Settings,
  exported: ReadonlySet<string>,
): { readonly message: string; readonly path: string[] } | undefined {
  const expected = expect[kind];
  if (expected === undefined) return undefined;
  if (!exported.has(kind)) {
    return { message: `${kind} are not exported by this pipeline`, path: ['expect', kind] };
  }
  if (kind !== 'messages' || messages?.incremental !== true || expected.dropMax === undefined)
    return undefined;
  const message =
    'an incremental export has only new messages, so their number cannot be compared with the export before; set min, or dropMax of contacts';
  return { message, path: ['expect', kind, 'dropMax'] };
}
