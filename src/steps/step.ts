import type { WorkspaceAnswer } from '../model/answer.ts';
import type { Contact } from '../model/contact.ts';
import { formatIdentifier, idToIdentifier } from '../model/identifier.ts';
import type { EndpointCallOptions } from '../workspace/index.ts';
import type { WorkspacePort } from './port.ts';

/** The result of settling an effect whose answer is lost: its state in the workspace. */
export type SettleResult =
  /** It took effect. */
  | { readonly kind: 'done'; readonly contact: Contact | null }
  /** It did not, as far as the workspace shows now. */
  | { readonly kind: 'absent' }
  /** Another client has created something else in its place. */
  | { readonly kind: 'other'; readonly contact: Contact }
  /** The workspace could not be read. */
  | { readonly kind: 'unknown'; readonly message: string }
  /** It cannot be read back: it may or may not have taken effect, and needs a manual decision. */
  | { readonly kind: 'unknowable' };

/** The result of an acknowledged effect. */
export interface EffectResult {
  readonly contactId: number | null;
  /** True where this call created the object, false where it existed; absent where that does not matter. */
  readonly created?: boolean;
}

/**
 * One kind of change to the workspace. A step does not know the journal: the import writes the intent before `send`. If
 * the answer is lost, the import calls `settle`, and may send the effect again only if the result is `absent`. The
 * members are methods, whose parameters TypeScript checks less strictly: this lets a registry hold steps of different
 * effects. An effect must be passed only to the step that planned or parsed it.
 */
export interface Step<E> {
  /** The name in the journal, in the summary, and in lists. */
  readonly name: string;
  /** The label after a number: `lifecycle stages set`. */
  readonly label: string;
  /**
   * True if the change becomes visible only after a delay: until then, `absent` does not mean that it did not take
   * effect.
   */
  readonly eventuallyVisible: boolean;
  /** Parses and checks an effect read from the journal. */
  parse(intent: unknown): E;
  /**
   * Returns the data for an undo, or for undoing the effect manually: usually the values that it replaces in
   * `contacts`, which were read before; null if there is none.
   */
  before(effect: E, contacts: readonly Contact[]): unknown;
  /** Returns the identifier texts of the contacts that the effect may create. */
  creates(effect: E): readonly string[];
  /**
   * Returns the identifier texts of the contacts that a request without an answer may still change, even after later
   * requests.
   */
  mayArriveLate(effect: E): readonly string[];
  /** Sends the effect, with `options` for each of its requests. */
  send(
    workspace: WorkspacePort,
    effect: E,
    options?: EndpointCallOptions,
  ): Promise<WorkspaceAnswer<EffectResult>>;
  /** Finds out whether the effect took place, with `options` for each of its requests. */
  settle(workspace: WorkspacePort, effect: E, options?: EndpointCallOptions): Promise<SettleResult>;
}

interface OfContact {
  readonly contactId: number;
}

/** The members common to all steps that change a contact by its id. */
export const contactStepDefaults = {
  eventuallyVisible: false,
  creates: () => [],
  mayArriveLate: ({ contactId }: OfContact) => [formatIdentifier(idToIdentifier(contactId))],
} satisfies Partial<Step<OfContact>>;

/**
 * Settles an effect by reading its contact: done where it is visible, unknown where the read fails, otherwise absent.
 */
export async function settleByReading(
  workspace: WorkspacePort,
  contactId: number,
  isAsWanted: (contact: Contact) => boolean,
  options?: EndpointCallOptions,
): Promise<SettleResult> {
  const answer = await workspace.contacts.read(idToIdentifier(contactId), options);
  if (answer.kind === 'absent') return { kind: 'absent' };
  if (answer.kind !== 'ok') return { kind: 'unknown', message: answer.message };
  return isAsWanted(answer.value) ? { kind: 'done', contact: answer.value } : { kind: 'absent' };
}

/** Converts the answer to a request on a contact into the answer of the step that sent it. */
export function toStepAnswer(
  answer: WorkspaceAnswer<unknown>,
  contactId: number,
): WorkspaceAnswer<EffectResult> {
  return answer.kind === 'ok' ? { kind: 'ok', value: { contactId } } : answer;
}
