import { IdentifierQueue } from '../../../identity/sequence.ts';

/** The number of recently changed contacts that are remembered; older ones count as changed. */
const mostRemembered = 20_000;

/** A person's lock on some contacts: no other person of this run changes them meanwhile. */
export interface ContactLock {
  /** Resolves when earlier turns at these contacts end; undefined where there are none. */
  readonly ready: Promise<unknown> | undefined;
  /** True if this run may have changed the contacts since they were read. */
  readonly stale: boolean;
  leave(): void;
}

/**
 * Gives each contact to one person of the input at a time. Rows that share nothing in the input can lead to one contact
 * (one by e-mail, one by phone), and each update writes back the whole list of custom fields that was read before it.
 */
export class ContactLockQueue {
  readonly #sequence = new IdentifierQueue();
  /** Contact id → version at which its turn ended, the oldest first. */
  readonly #left = new Map<number, number>();
  #now = 0;
  #forgotten = 0;

  /** Returns the current version, which grows each time a turn ends; call it before reading the contacts. */
  version(): number {
    return this.#now;
  }

  /** Queues for contacts that were read after version `since`. */
  take(contacts: readonly number[], since: number): ContactLock {
    const turn = this.#sequence.enter(contacts.map(String));
    const { ready } = turn;
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
        turn.leave();
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
