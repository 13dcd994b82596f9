import type { Contact } from '../model/contact.ts';
import type { Problem } from '../model/problem.ts';
import type { Found } from './look-up.ts';

export type OnMatch = 'update' | 'fill' | 'skip' | 'reject';

/** What is to be done with a row. */
export type Decision =
  | { readonly kind: 'create' }
  | { readonly kind: 'update'; readonly contact: Contact; readonly only: 'changed' | 'empty' }
  | { readonly kind: 'skip'; readonly contact: Contact }
  | { readonly kind: 'reject'; readonly contact: Contact; readonly problem: Problem };

/** Decides by whom the look-up found and the policy alone (design: Identity, Matching). */
export function decide(found: Found, onMatch: OnMatch): Decision {
  const [first, ...others] = found;
  if (first === undefined) return { kind: 'create' };
  const { contact } = first;
  switch (onMatch) {
    case 'skip':
      return { kind: 'skip', contact };
    case 'reject':
      return { kind: 'reject', contact, problem: existsProblem(found) };
    case 'update':
    case 'fill': {
      const other = others.find((match) => match.contact.id !== contact.id);
      if (other !== undefined) return { kind: 'reject', contact, problem: conflictProblem(found) };
      return { kind: 'update', contact, only: onMatch === 'fill' ? 'empty' : 'changed' };
    }
  }
}

function existsProblem(found: Found): Problem {
  return {
    code: 'identity.exists',
    column: null,
    reason: `${described(found)}, and the policy onMatch: reject leaves people who are there alone`,
  };
}

function conflictProblem(found: Found): Problem {
  return {
    code: 'identity.conflict',
    column: null,
    reason: `${described(found)}: they are two contacts, and a merge cannot be undone, so nothing was sent`,
  };
}

function described(found: Found): string {
  return found
    .map(({ by, contact }) => `the ${by === 'email' ? 'e-mail' : by} is contact ${contact.id}`)
    .join(', ');
}
