import type { WorkspaceAnswer } from '../model/answer.ts';
import type { Contact } from '../model/contact.ts';
import type { Draft } from '../model/draft.ts';
import type { Identifier } from '../model/identifier.ts';
import { findOtherPhoneForm } from '../model/phone-forms.ts';

/**
 * The contacts found for a row, each with the kind of identifier that found it; `id` is a contact that the journal
 * recorded for the row, or that a user approved.
 */
export type MatchedContacts = readonly { readonly by: Identifier['kind']; readonly contact: Contact }[];

export type LookupResult =
  | { readonly kind: 'ok'; readonly value: MatchedContacts }
  | Exclude<WorkspaceAnswer<Contact>, { kind: 'ok' | 'absent' }>;

type ReadContact = (identifier: Identifier) => Promise<WorkspaceAnswer<Contact>>;

export type MatchIdentifierKind = 'email' | 'phone';

/** Returns the e-mail and phone of a draft as identifiers, in the given order; without empty ones. */
export function listDraftIdentifiers(
  draft: Draft,
  order: readonly MatchIdentifierKind[],
): readonly Identifier[] {
  const identifiers: Identifier[] = [];
  for (const kind of order) {
    const value = draft.values.contact[kind];
    if (typeof value === 'string' && value !== '') identifiers.push({ kind, value });
  }
  return identifiers;
}

/**
 * Looks each identifier up by a single read, which returns only the first of several contacts. An e-mail without a
 * match is looked up again in the spelling of the row, a phone in the other form that some numbers have. If a read fails, returns its answer in place of the contacts.
 */
export async function lookUpContacts(
  read: ReadContact,
  identifiers: readonly Identifier[],
  emailAsWritten: string | null = null,
): Promise<LookupResult> {
  const ask = async (identifier: Identifier): Promise<WorkspaceAnswer<Contact>> => {
    const answer = await read(identifier);
    if (answer.kind !== 'absent' || identifier.kind === 'id') return answer;
    const value = identifier.kind === 'email' ? emailAsWritten : findOtherPhoneForm(identifier.value);
    return value ? await read({ kind: identifier.kind, value }) : answer;
  };
  const answers = await Promise.all(identifiers.map(ask));
  const found: { by: Identifier['kind']; contact: Contact }[] = [];
  for (const [n, answer] of answers.entries()) {
    const by = identifiers[n]?.kind;
    if (answer.kind === 'absent' || by === undefined) continue;
    if (answer.kind !== 'ok') return answer;
    found.push({ by, contact: answer.value });
  }
  return { kind: 'ok', value: found };
}
