import type { ContactFields } from './contact.ts';
import type { CustomValue } from './custom-field.ts';
import type { Problem } from './problem.ts';

/** Values for a contact; an absent name leaves the contact's value alone, null clears it. */
export interface FieldValues {
  readonly contact: ContactFields;
  readonly customFields: Readonly<Record<string, CustomValue>>;
}

/** What a row becomes before anybody looked into the workspace. */
export interface Draft {
  /** The row's key in the legacy CRM, or null where the mapping names none. */
  readonly key: string | null;
  /** The e-mail as the row spells it, where that is not how it is sent; a workspace may know it by that spelling. */
  readonly emailAsWritten: string | null;
  /** What the row says. */
  readonly values: FieldValues;
  /** What a create sends where the row says nothing; it never overwrites. */
  readonly defaults: FieldValues;
  /** Single values left out under `onInvalid: drop`, and what else a person should know of the row. */
  readonly dropped: readonly Problem[];
}

export type Mapped =
  | { readonly ok: true; readonly draft: Draft }
  | { readonly ok: false; readonly key: string | null; readonly problems: readonly Problem[] };
