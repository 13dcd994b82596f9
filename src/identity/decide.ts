import { isSameContactFieldValue } from '../datatypes/index.ts';
import type { Contact, ContactFields } from '../model/contact.ts';
import type { Problem } from '../model/problem.ts';
import type { MatchedContacts, MatchIdentifierKind } from './look-up.ts';

/** The policy for a row whose person already has a contact. */
export type OnMatchPolicy = 'update' | 'fill' | 'skip' | 'reject';

/** The policy under `update` and `fill` for a row that matches more than one contact. */
export type OnConflictPolicy = 'review' | 'merge' | 'prefer-email' | 'prefer-phone' | 'reject';

export interface MatchPolicy {
  readonly onMatch: OnMatchPolicy;
  readonly onConflict: OnConflictPolicy;
}

/** Two contacts that one row matches, the older one first. */
export type ContactPair = readonly [older: Contact, newer: Contact];

/** The decision for a row, with the contacts that it concerns. */
export type MatchDecision =
  | { readonly kind: 'create' }
  | {
      readonly kind: 'update';
      readonly contact: Contact;
      readonly only: 'changed' | 'empty';
      /** The identifier that belongs to another contact and must not be sent. */
      readonly leaveOut?: MatchIdentifierKind;
      /** The problem that reports the identifier that is left out. */
      readonly note?: Problem;
    }
  | { readonly kind: 'merge'; readonly contacts: ContactPair; readonly only: 'changed' | 'empty' }
  | { readonly kind: 'propose'; readonly pairs: readonly ContactPair[]; readonly problem: Problem }
  | { readonly kind: 'skip'; readonly contact: Contact }
  | { readonly kind: 'reject'; readonly contact: Contact; readonly problem: Problem };

/**
 * Returns the decision for a row from the contacts that it matches and the policy. `sent` has the e-mail and phone that
 * the row sends, which merged rows choose from those that they are looked up by. `isOnePerson` is called only under
 * `onConflict: merge`, and returns true if the two contacts are one person.
 */
export function decideOnMatches(
  found: MatchedContacts,
  { onMatch, onConflict }: MatchPolicy,
  sent: Pick<ContactFields, MatchIdentifierKind>,
  isOnePerson: () => boolean,
): MatchDecision {
  const contact = found[0]?.contact;
  if (contact === undefined) return { kind: 'create' };
  switch (onMatch) {
    case 'skip':
      return { kind: 'skip', contact };
    case 'reject':
      return { kind: 'reject', contact, problem: existsProblem(found) };
    case 'update':
    case 'fill': {
      const only = onMatch === 'fill' ? 'empty' : 'changed';
      const [oldest, second, ...more] = byAge(found);
      if (oldest === undefined || second === undefined) return { kind: 'update', contact, only };
      if (onConflict === 'reject') {
        const why = 'the policy onConflict: reject leaves them alone';
        return { kind: 'reject', contact, problem: conflictProblem(found, why) };
      }
      // A merge takes two contacts and a preference chooses between two, so more than two need a manual decision.
      if (onConflict === 'review' || more.length > 0) return proposal(found);
      if (onConflict === 'merge' && !isOnePerson()) return proposal(found);
      if (onConflict === 'merge') return { kind: 'merge', contacts: [oldest, second], only };
      return prefer(found, onConflict === 'prefer-email' ? 'email' : 'phone', sent, only);
    }
  }
}

/**
 * Decides to update the contact that the preferred identifier matches: of merged rows, those of all of them, or that
 * which is sent if an earlier run has recorded a contact, so that each later run decides alike. If it matches both contacts or none, decides to
 * update the one that an earlier run recorded for the row's key, or proposes the merge if there is no such contact. The
 * row's other identifier is left out, with a note, if it belongs to the other contact.
 */
function prefer(
  found: MatchedContacts,
  by: MatchIdentifierKind,
  sent: Pick<ContactFields, MatchIdentifierKind>,
  only: 'changed' | 'empty',
): MatchDecision {
  const matched = found.filter((match) => match.by === by);
  const value = sent[by] ?? null;
  const own = matched.filter(
    ({ contact }) => value !== null && isSameContactFieldValue(by, contact[by], value),
  );
  const known = byAge(found.filter((match) => match.by === 'id'));
  const led = byAge(known.length === 0 || own.length === 0 ? matched : own);
  const [contact, ...more] = led.length === 1 ? led : known;
  if (contact === undefined || more.length > 0) return proposal(found);
  const leaveOut = by === 'email' ? 'phone' : 'email';
  const isOthers = found.some((match) => match.by === leaveOut && match.contact.id !== contact.id);
  if (!isOthers) return { kind: 'update', contact, only };
  const note: Problem = {
    code: `${leaveOut}.leftOut`,
    column: null,
    reason: `${described(found)}: under onConflict: prefer-${by} the row goes to contact ${contact.id}, and its ${words[leaveOut]} is left out`,
  };
  return { kind: 'update', contact, only, leaveOut, note };
}

/** Proposes to merge each of the other contacts into the oldest one. */
function proposal(found: MatchedContacts): MatchDecision {
  const [oldest, ...others] = byAge(found);
  const pairs = oldest === undefined ? [] : others.map((other): ContactPair => [oldest, other]);
  const why = 'a merge cannot be undone, so it is proposed in merge-proposals.csv';
  return { kind: 'propose', pairs, problem: conflictProblem(found, why) };
}

/**
 * Returns the distinct contacts, oldest first: by creation time, then by id. A contact without a creation time counts
 * as the newest.
 */
function byAge(found: MatchedContacts): readonly Contact[] {
  const distinct = new Map<number, Contact>();
  for (const { contact } of found) if (!distinct.has(contact.id)) distinct.set(contact.id, contact);
  const age = ({ created_at }: Contact) => created_at ?? Number.MAX_SAFE_INTEGER;
  return [...distinct.values()].sort((a, b) => age(a) - age(b) || a.id - b.id);
}

function existsProblem(found: MatchedContacts): Problem {
  return {
    code: 'identity.exists',
    column: null,
    reason: `${described(found)}, and the policy onMatch: reject leaves existing contacts alone`,
  };
}

function conflictProblem(found: MatchedContacts, why: string): Problem {
  const count = byAge(found).length;
  const reason = `${described(found)}: they are ${count === 2 ? 'two' : count} contacts, and ${why}`;
  return { code: 'identity.conflict', column: null, reason };
}

const words = { id: 'key', email: 'e-mail', phone: 'phone' } as const;

/** The most contacts that a reason names, because a shared phone can match hundreds. */
const mostNamed = 5;

function described(found: MatchedContacts): string {
  const named = found
    .slice(0, mostNamed)
    .map(({ by, contact }) => `the ${words[by]} is contact ${contact.id}`);
  const more = found.length - named.length;
  return more > 0 ? `${named.join(', ')} (and ${more} more)` : named.join(', ');
}
