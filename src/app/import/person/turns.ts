import { IdentitySequence } from '../../../identity/sequence.ts';

/** How many contacts that were changed lately are remembered; of older ones it is assumed that they were. */
const mostRemembered = 20_000;

/** A person's turn at some contacts: nobody else of this run changes them meanwhile. */
export interface Turn {
  /** Set where others are at one of the contacts before it. */
  readonly ready: Promise<unknown> | undefined;
  /** Whether what was read of the contacts before may have been changed since by this run. */
  readonly stale: boolean;
  leave(): void;
}

/**
 * Lets only one person of the input at a contact at a time. Rows that share nothing in the input can lead to one contact
 * (one by its e-mail, one by its phone), and an update sends the whole custom-field list that was read before.
 */
export class ContactTurns {
  readonly #sequence = new IdentitySequence();
  /** Contact → when it was left, the oldest first. */
  readonly #left = new Map<number, number>();
  #now = 0;
  #forgotten = 0;

  /** A moment to compare with: take it before a contact is read. */
  version(): number {
    return this.#now;
  }

  /** Queues for contacts that were read after `since`. */
  take(contacts: readonly number[], since: number): Turn {
    const { ready, leave } = this.#sequence.enter(contacts.map(String));
    const stale =
      ready !== undefined ||
      this.#forgotten > since ||
      contacts.some((contact) => (this.#left.get(contact) ?? 0) > since);
    return {
      ready,
      stale,
      leave: () => {
        this.#now += 1;
        for (const contact of contacts) this.#remember(contact);
        leave();
      },
    };
  }

  #remember(contact: number): void {
    this.#left.delete(contact);
    this.#left.set(contact, this.#now);
    if (this.#left.size <= mostRemembered) return;
    const [oldest] = this.#left;
    if (oldest === undefined) return;
    this.#left.delete(oldest[0]);
    this.#forgotten = oldest[1];
  }
}
