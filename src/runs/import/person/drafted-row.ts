import * as z from 'zod';
import { contactFieldNames } from '../../../model/contact.ts';
import type { Draft } from '../../../model/draft.ts';
import type { PersonRow } from './person.ts';

/** A row that has become a draft. */
export interface DraftedRow {
  readonly row: PersonRow;
  readonly draft: Draft;
}

const text = z.string().nullable();
const values = z.object({
  contact: z.partialRecord(z.enum(contactFieldNames), text),
  customFields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

const problem = z.object({ code: z.string(), column: text, reason: z.string() });

const draft = z.object({
  key: text,
  emailAsWritten: text,
  values,
  defaults: values,
  tags: z.array(z.string()).exactOptional(),
  lifecycle: text.exactOptional(),
  defaultLifecycle: z.string().exactOptional(),
  assignee: z.object({ as: z.string(), userId: z.number().nullable() }).exactOptional(),
  conversation: z
    .object({
      status: z.enum(['open', 'closed']),
      category: z.string().exactOptional(),
      summary: z.string().exactOptional(),
    })
    .exactOptional(),
  comments: z.array(z.object({ id: z.string(), text: z.string() })).exactOptional(),
  dropped: z.array(problem),
});

/** A drafted row as it comes back from where it waited for the others of its person. */
export const draftedRow = z.object({
  row: z.object({
    seq: z.int(),
    line: z.int(),
    key: text,
    cells: z.array(z.tuple([z.string(), text])),
    hash: text,
  }),
  draft,
});
