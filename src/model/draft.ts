import * as z from 'zod';
import { type ContactFields, contactFieldNames } from './contact.ts';
import type { CustomValue } from './custom-field.ts';
import type { Problem } from './problem.ts';

/** Values for a contact; an absent name leaves the contact's value alone, null clears it. */
export interface FieldValues {
  readonly contact: ContactFields;
  readonly customFields: Readonly<Record<string, CustomValue>>;
}

/** The user a row names: as the mapping reads it, and the user's id where the workspace is known. */
export interface DesiredAssignee {
  readonly as: string;
  /** null unassigns, or nobody has looked into the workspace yet. */
  readonly userId: number | null;
}

/** How a conversation is to be left (specification: Conversations). */
export interface DesiredConversation {
  readonly status: 'open' | 'closed';
  /** The name of a closing note. */
  readonly category?: string;
  /** Only together with a category; at most 512 UTF-16 units. */
  readonly summary?: string;
}

/** The longest comment that the interface takes, in UTF-16 units; a longer one is sent in parts. */
export const longestComment = 1_000;

/** A comment of one row; it is remembered by `id`, never by its text. */
export interface CommentDraft {
  /** The entry's name, and where it has one its key: `origin`, `notes:17`. */
  readonly id: string;
  /** Whole; it is split to the interface's limit only when it is sent. */
  readonly text: string;
}

/** What a row becomes before anybody looked into the workspace. */
export interface Draft {
  /** The row's key in the legacy CRM, with its sheet where several are one input, or null where the mapping names none. */
  readonly key: string | null;
  /** The e-mail as the row spells it, where that is not how it is sent; a workspace may know it by that spelling. */
  readonly emailAsWritten: string | null;
  /** Valid phones of the row besides the one that is sent; they may be how another row says who it is. */
  readonly furtherPhones?: readonly string[];
  /** What the row says. */
  readonly values: FieldValues;
  /** What a create sends where the row says nothing; it never overwrites. */
  readonly defaults: FieldValues;
  /** Tag names in the row's order, unique without regard to case; absent where the mapping has no tags. */
  readonly tags?: readonly string[];
  /** The lifecycle stage; null takes the contact out of any, absent leaves it alone. */
  readonly lifecycle?: string | null;
  /** The stage of a created contact where the row names none. */
  readonly defaultLifecycle?: string;
  /** Absent leaves the assignee alone. */
  readonly assignee?: DesiredAssignee;
  readonly conversation?: DesiredConversation;
  /** In the order in which they are sent. */
  readonly comments?: readonly CommentDraft[];
  /** Single values left out under `onInvalid: drop`, and what else a person should know of the row. */
  readonly dropped: readonly Problem[];
}

export type Mapped =
  | { readonly ok: true; readonly draft: Draft }
  | { readonly ok: false; readonly key: string | null; readonly problems: readonly Problem[] };

const text = z.string().nullable();
const values = z.object({
  contact: z.partialRecord(z.enum(contactFieldNames), text),
  customFields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

const problem = z.object({ code: z.string(), column: text, reason: z.string() });

/** A draft that was put aside on disk; every property must be here, or it would be lost on the way. */
export const draftSchema = z.object({
  key: text,
  emailAsWritten: text,
  furtherPhones: z.array(z.string()).exactOptional(),
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
} satisfies Record<keyof Draft, z.ZodType>);
