import type { Answer } from '../model/answer.ts';
import type { Contact } from '../model/contact.ts';
import type { WorkspacePort } from './port.ts';

/** What reading the workspace says about an effect whose answer is lost. */
export type Settled =
  /** It took effect. */
  | { readonly kind: 'done'; readonly contact: Contact | null }
  /** It did not, as far as the workspace shows now. */
  | { readonly kind: 'absent' }
  /** Something else stands in its place: somebody else was faster. */
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
 * One kind of change to the workspace. Operations do not know the journal: the run writes the intent before `send` and
 * asks `settle` where an answer is lost, and only what `settle` calls absent may be sent again.
 */
export interface Operation<E> {
  readonly name: string;
  /** Whether an absence must be waited out before it is believed, because the change shows with a delay. */
  readonly showsLate: boolean;
  /** The effect as the journal gave it back, checked. */
  readonly parse: (intent: unknown) => E;
  /** Identifier texts of the people that the effect may create. */
  readonly creates: (effect: E) => readonly string[];
  /** Identifier texts of the contacts that a request without an answer may still change, after others were sent. */
  readonly overtakes: (effect: E) => readonly string[];
  readonly send: (workspace: WorkspacePort, effect: E) => Promise<Answer<Effected>>;
  readonly settle: (workspace: WorkspacePort, effect: E) => Promise<Settled>;
}
