import type { WorkspaceAnswer } from '../model/answer.ts';
import type { Contact } from '../model/contact.ts';
import type { Draft } from '../model/draft.ts';
import type { Identifier } from '../model/identifier.ts';

/** The contacts that the identifiers of a row matched, in the order of the mapping's `identify`. */
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
 * Looks each identifier up by a single read, which returns the first contact of several; an e-mail
 * without a match is looked up again as the row spells it. Returns the first answer that is a failure, if any.
 */
export async function lookUpContacts(
  read: ReadContact,
  identifiers: readonly Identifier[],
  emailAsWritten: string | null = null,
): Promise<LookupResult> {
  const ask = async (identifier: Identifier): Promise<WorkspaceAnswer<Contact>> => {
    const answer = await read(identifier);
    if (answer.kind !== 'absent' || identifier.kind !== 'email' || emailAsWritten === null) return answer;
    return await read({ kind: 'email', value: emailAsWritten });
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
