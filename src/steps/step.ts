import type { Answer } from '../model/answer.ts';
import type { Contact } from '../model/contact.ts';
import { byId, identifierText } from '../model/identifier.ts';
import type { WorkspacePort } from './port.ts';

/** What reading the workspace says about an effect whose answer is lost. */
export type Settled =
  /** It took effect. */
  | { readonly kind: 'done'; readonly contact: Contact | null }
  /** It did not, as far as the workspace shows now. */
  | { readonly kind: 'absent' }
  /** Something else is in its place: somebody else was faster. */
  | { readonly kind: 'other'; readonly contact: Contact }
  /** The workspace could not be read. */
  | { readonly kind: 'unknown'; readonly message: string }
  /** Nobody can read it back: it may or may not have taken effect, and a person decides. */
  | { readonly kind: 'unknowable' };

/** What an acknowledged effect gave. */
export interface Effected {
  readonly contactId: number | null;
  /** Whether this very call brought it into being; absent where that does not matter. */
  readonly created?: boolean;
}

/**
 * One kind of change to the workspace. Steps do not know the journal: the import writes the intent before `send` and asks
 * `settle` where an answer is lost, and only what `settle` calls absent may be sent again. These are methods so that a
 * registry can hold steps of different effects: an effect goes only to the step that planned it.
 */
export interface Step<E> {
  /** In the journal, in the summary, in lists. */
  readonly name: string;
  /** What was done, after its number: `lifecycle stages set`. */
  readonly label: string;
  /** Whether an absence must be waited out before it is believed, because the change shows with a delay. */
  readonly eventuallyVisible: boolean;
  /** The effect as the journal gave it back, checked. */
  parse(intent: unknown): E;
  /** What an undo needs: the values that the effect replaces in the contacts as they were read; null where there is none. */
  before(effect: E, contacts: readonly Contact[]): unknown;
  /** Identifier texts of the people that the effect may create. */
  creates(effect: E): readonly string[];
  /** Identifier texts of the contacts that a request without an answer may still change, after others were sent. */
  mayArriveLate(effect: E): readonly string[];
  send(workspace: WorkspacePort, effect: E): Promise<Answer<Effected>>;
  settle(workspace: WorkspacePort, effect: E): Promise<Settled>;
}

interface OfContact {
  readonly contactId: number;
}

/** What holds for every step that changes a contact by its id. */
export const onContact = {
  eventuallyVisible: false,
  creates: () => [],
  mayArriveLate: ({ contactId }: OfContact) => [identifierText(byId(contactId))],
} satisfies Partial<Step<OfContact>>;

/** Reads the contact by its id: what is there as wanted is done, anything else may be sent again. */
export async function settleByReading(
  workspace: WorkspacePort,
  contactId: number,
  isAsWanted: (contact: Contact) => boolean,
): Promise<Settled> {
  const answer = await workspace.contacts.read(byId(contactId));
  if (answer.kind === 'absent') return { kind: 'absent' };
  if (answer.kind !== 'ok') return { kind: 'unknown', message: answer.message };
  return isAsWanted(answer.value) ? { kind: 'done', contact: answer.value } : { kind: 'absent' };
}

/** The answer to an effect on a contact. */
export function effected(answer: Answer<unknown>, contactId: number): Answer<Effected> {
  return answer.kind === 'ok' ? { kind: 'ok', value: { contactId } } : answer;
}
