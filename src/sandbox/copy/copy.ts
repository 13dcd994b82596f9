import { createSlug, isFieldDataType, parseFieldText } from '../rules/data-types.ts';
import { type ContactRow, emptyContact } from '../store/contacts.ts';
import type { UserView } from '../store/settings.ts';
import { openSandboxStore, type SandboxStore } from '../store/store.ts';

/** The copied values of a user. */
interface CopiedUser {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly role?: string | null | undefined;
  readonly team?: { readonly id: number; readonly name: string } | null | undefined;
  readonly restrictions?: readonly string[] | null | undefined;
}

/** The copied values of a custom field. */
interface CopiedField {
  readonly id: number;
  readonly name: string;
  readonly slug?: string | undefined;
  readonly description?: string | null | undefined;
  readonly dataType: string;
  readonly allowedValues?: readonly string[] | null | undefined;
}

type Text = string | null;

/** The copied values of a contact. */
interface CopiedContact {
  readonly id: number;
  readonly firstName: Text;
  readonly lastName: Text;
  readonly phone: Text;
  readonly email: Text;
  readonly language: Text;
  readonly profilePic: Text;
  readonly countryCode: Text;
  readonly custom_fields: readonly {
    readonly name: string;
    readonly value: string | number | boolean | null;
  }[];
  readonly status: Text;
  readonly tags: readonly string[];
  readonly assignee: Pick<CopiedUser, 'id' | 'firstName' | 'lastName' | 'email'> | null;
  readonly lifecycle: Text;
  readonly created_at: number | null;
  readonly isBlocked: boolean;
}

/**
 * Writes a copy of another workspace, with its ids, into a local one: users and custom fields first, then
 * contacts.
 */
export type WorkspaceCopyWriter = ReturnType<typeof copyInto>;

/** The id of the first contact that is created in a copy, above all ids of the copied workspace. */
export const firstContactIdCreatedInCopy = 9e14;

/** The creation time (Unix seconds) of a copied contact whose own is not known: later than all others. */
const youngest = 253_402_300_799;

/** Creates a local workspace in a file, and stores everything that `fill` copies into it, or nothing. */
export async function createWorkspaceCopy(
  file: string,
  fill: (copy: WorkspaceCopyWriter) => Promise<void>,
): Promise<void> {
  const store = openSandboxStore(file);
  try {
    await store.longTransaction(async () => {
      await fill(copyInto(store));
      store.contacts.createFrom(firstContactIdCreatedInCopy);
      store.markSeeded('copy');
    });
  } finally {
    store.close();
  }
}

function copyInto(store: SandboxStore) {
  return {
    /** Copies a user; a second one with the same e-mail is ignored. */
    user(user: CopiedUser): void {
      if (store.users.byEmail(user.email) === undefined) store.users.add(userOf(user), false);
    },
    /** Copies a custom field; a second one of the same name is ignored, and an unknown data type becomes text. */
    customField({ id, name, slug, description, dataType, allowedValues }: CopiedField): void {
      if (store.customFields.named(name) !== undefined) return;
      const taken = (text: string) => store.customFields.withSlug(text) !== undefined;
      store.customFields.add({
        ...{ id, name, description: description ?? '', allowedValues: allowedValues ?? [] },
        slug: slug === undefined || taken(slug) ? createSlug(name, taken) : slug,
        dataType: isFieldDataType(dataType) ? dataType : 'text',
      });
    },
    closingNote(category: string, description: string | null): void {
      if (!store.closingNotes.has(category)) store.closingNotes.add(category, description);
    },
    /** Copies a contact, replacing an earlier copy of it. */
    contact(contact: CopiedContact): void {
      store.contacts.save(rowOf(store, contact));
      store.tags.replace(contact.id, contact.tags);
    },
    contacts: () => store.contacts.count(),
  };
}

/**
 * Returns the row of a copied contact, with its values unchanged, even those that the rules of the sandbox would
 * refuse.
 */
function rowOf(store: SandboxStore, contact: CopiedContact): ContactRow {
  const { custom_fields: custom, tags: _, assignee, status, created_at, isBlocked, ...plain } = contact;
  const values = custom.flatMap(({ name, value }) => {
    const field = store.customFields.named(name);
    if (field === undefined || value === null || value === '') return [];
    return [[field.id, parseFieldText(String(value), field) ?? value] as const];
  });
  const { id, firstName, lastName, phone, email, language, profilePic, countryCode, lifecycle } = plain;
  // The assignee may no longer be among the users.
  if (assignee !== null && store.users.assigned(assignee.id) === undefined)
    store.users.addFormer(userOf(assignee));
  return {
    ...emptyContact,
    ...{ id, firstName, lastName, phone, email, language, profilePic, countryCode, lifecycle },
    custom: JSON.stringify(Object.fromEntries(values)),
    status: status ?? emptyContact.status,
    assignee: assignee?.id ?? null,
    created_at: created_at ?? youngest,
    isBlocked: isBlocked ? 1 : 0,
    readyAt: 0,
  };
}

function userOf({ id, firstName, lastName, email, role, team, restrictions }: CopiedUser): UserView {
  return {
    ...{ id, firstName, lastName, email },
    role: role ?? 'agent',
    team: team ?? null,
    restrictions: restrictions ?? [],
  };
}
