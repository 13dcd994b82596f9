import * as z from 'zod';
import { type ContactFields, contactFieldNames } from './contact.ts';
import type { CustomValue } from './custom-field.ts';
import type { Problem } from './problem.ts';

/** Values for a contact; an absent name leaves the contact's value alone, null clears it. */
export interface FieldValues {
  readonly contact: ContactFields;
  readonly customFields: Readonly<Record<string, CustomValue>>;
}

/**
 * The user that a row assigns its contact to: the text in the row, and the user's id once the workspace has been read.
 */
export interface DesiredAssignee {
  readonly as: string;
  /** null to unassign the contact; also null for any user if the workspace's users were not read. */
  readonly userId: number | null;
}

/** The state in which a conversation is left (specification: Conversations). */
export interface DesiredConversation {
  readonly status: 'open' | 'closed';
  /** The name of a closing note. */
  readonly category?: string;
  /** Only together with a category; at most 512 UTF-16 units. */
  readonly summary?: string;
}

/** The longest comment that the interface accepts, in UTF-16 units; a longer one is sent in parts. */
export const maxCommentLength = 1_000;

/** A comment of one row; the journal records its `id`, never its text. */
export interface CommentDraft {
  /** The entry's name, with its key where it has one: `origin`, `notes:17`. */
  readonly id: string;
  /** The whole text: it is split at the interface's limit only when it is sent. */
  readonly text: string;
}

/** A phone or an e-mail that is not sent as the contact's own. */
export interface FurtherIdentifier {
  readonly kind: 'email' | 'phone';
  readonly value: string;
}

/** The content of a row as the mapping reads it, before the workspace is read. */
export interface Draft {
  /**
   * The row's key in the legacy CRM, after the row's sheet if several sheets are one input: `7`, `North/7`; null if the
   * row or the mapping has no key.
   */
  readonly key: string | null;
  /**
   * The e-mail as the row spells it, if it is sent in another spelling; otherwise null. A contact is looked up by both
   * spellings.
   */
  readonly emailAsWritten: string | null;
  /** Valid phones and e-mails of the row other than those that are sent; another row of the same person may have them. */
  readonly furtherIdentifiers?: readonly FurtherIdentifier[];
  /** The values of the row. */
  readonly values: FieldValues;
  /** The custom field with the date of birth; absent where the mapping names none. */
  readonly birthDateField?: string;
  /**
   * The values that a create sends where the row has none; an update and a merge send only the default first name,
   * where there is no other.
   */
  readonly defaults: FieldValues;
  /** Tag names in the row's order, unique without regard to case; absent where the mapping has no tags. */
  readonly tags?: readonly string[];
  /** The lifecycle stage; null takes the contact out of its stage, absent leaves the stage unchanged. */
  readonly lifecycle?: string | null;
  /** The stage of a created contact where the row names none. */
  readonly defaultLifecycle?: string;
  /** Absent leaves the assignee alone. */
  readonly assignee?: DesiredAssignee;
  readonly conversation?: DesiredConversation;
  /** In the order in which they are sent. */
  readonly comments?: readonly CommentDraft[];
  /** Single values left out under `onInvalid: drop`, and other notes about the row. */
  readonly dropped: readonly Problem[];
}

export type MappingResult =
  | { readonly ok: true; readonly draft: Draft }
  | {
      readonly ok: false;
      readonly key: string | null;
      readonly problems: readonly Problem[];
      /** The values that could be read, where the mapping has them. */
      readonly draft?: Draft;
    };

const text = z.string().nullable();
const values = z.object({
  contact: z.partialRecord(z.enum(contactFieldNames), text),
  customFields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

const problem = z.object({ code: z.string(), column: text, reason: z.string() });

/** The schema of a draft stored on disk; it must list every property of `Draft`, because it drops all others. */
export const draftSchema = z.object({
  key: text,
  emailAsWritten: text,
  furtherIdentifiers: z
    .array(z.object({ kind: z.enum(['email', 'phone']), value: z.string() }))
    .exactOptional(),
  values,
  birthDateField: z.string().exactOptional(),
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
