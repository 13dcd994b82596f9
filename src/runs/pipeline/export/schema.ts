import * as z from 'zod';
import type { Exporter } from '../../../exporters/exporter.ts';
import { paceShape } from '../limits.ts';
import { notify } from '../notify.ts';
import { duration } from '../quantities.ts';
import { workspaceSchema } from '../workspace.ts';
import { contactColumnsSchema, messageColumnsSchema } from './columns.ts';
import { destinationSchema, timezoneSchema } from './destination.ts';
import { expectedKinds, expectSchema } from './expect.ts';
import { filterSchema } from './filter.ts';
import { hasColumns, writableFormats } from './formats.ts';

const contactShape = {
  filter: filterSchema.optional().describe('Only contacts that meet all these conditions.'),
  search: z.string().min(1).optional().describe('Only contacts that the workspace finds by this text.'),
  incremental: z
    .boolean()
    .default(false)
    .describe('After the first export, what changed stands in changes.ndjson.'),
};

const messageShape = {
  incremental: z
    .boolean()
    .default(false)
    .describe('After the first export only new messages are fetched and written.'),
  refresh: duration
    .optional()
    .describe('How far back the statuses of messages are read again; only with incremental.'),
};

const noColumns = z
  .never('this format writes everything, in a layout of its own; columns go with csv and other tables')
  .optional()
  .describe('This format writes everything.');

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
      const message = 'every export that is not incremental reads all statuses; say incremental: true, too';
      context.addIssue({ code: 'custom', message, path: ['refresh'] });
    });
}

const [firstFormat, ...otherFormats] = writableFormats();

const contacts = z
  .discriminatedUnion('format', [contactsIn(firstFormat), ...otherFormats.map(contactsIn)])
  .describe('The contacts. Left out: they are read for their messages only.');

const messages = z
  .discriminatedUnion('format', [messagesIn(firstFormat), ...otherFormats.map(messagesIn)])
  .describe('The messages of these contacts.');

const unique = (list: readonly unknown[]): boolean => new Set(list).size === list.length;
const once = 'each stands here once';

const workspaceObjects = z
  .array(z.enum(['users', 'customFields', 'closingNotes', 'tags']))
  .refine(unique, once)
  .default([])
  .describe('What belongs to the workspace itself; tags are those that contacts have.');

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
    .describe('How many complete exports stay; older ones are removed. Left out: all stay.'),
  timezone: timezoneSchema,
  contacts: contacts.optional(),
  messages: messages.optional(),
  workspaceObjects,
  templates: templates.optional(),
  expect: expectSchema,
  timeout: duration.optional().describe('Stops the export after this time; it can be continued.'),
  continueWithin: duration
    .prefault('12h')
    .describe('An unfinished export that was begun longer ago is begun anew.'),
  notify: notify.optional(),
  limits: z.strictObject(paceShape).prefault({}).describe('Pace and patience.'),
});

/** `export:` of a pipeline. */
export const exportSchema = settings
  .superRefine((given, context) => {
    const exported = exportedKinds(given);
    if (exported.size === 0) {
      const message = 'nothing is exported; say contacts, messages, workspaceObjects or templates';
      context.addIssue({ code: 'custom', message });
    }
    for (const kind of expectedKinds) {
      const message = notExpectable(kind, given, exported);
      if (message !== undefined) context.addIssue({ code: 'custom', ...message });
    }
  })
  .describe('Unloads the workspace into files.');

type Settings = z.output<typeof settings>;
type ExpectedKind = (typeof expectedKinds)[number];

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
    'an incremental export holds new messages only: their number says nothing beside that of the night before; say min, or dropMax of contacts';
  return { message, path: ['expect', kind, 'dropMax'] };
}
