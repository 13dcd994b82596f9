import fc from 'fast-check';
import type { RealImport } from './real-import.ts';

/** What somebody does in the workspace while an import runs. */
export interface Deed {
  readonly what: 'create' | 'move' | 'remove' | 'delete';
  /** Done at that step of the import's requests, or as soon afterwards as it is allowed. */
  readonly at: number;
  readonly kind: 'email' | 'phone';
  readonly email: string;
  readonly phone: string;
  /** Which of the contacts that fit. */
  readonly nth: number;
}

const emails = Array.from({ length: 16 }, (_, n) => `p${n}@example.com`);
const phones = Array.from({ length: 14 }, (_, n) => `+12015550${100 + n}`);

/** A few of each, so that rows, contacts and deeds meet. */
export const anEmail = fc.constantFrom('', ...emails);
export const aPhone = fc.constantFrom('', ...phones);

export const deeds: fc.Arbitrary<readonly Deed[]> = fc.array(
  fc.record({
    what: fc.constantFrom('create', 'create', 'create', 'move', 'move', 'remove', 'delete'),
    at: fc.nat({ max: 30 }),
    kind: fc.constantFrom('email', 'phone'),
    email: anEmail,
    phone: aPhone,
    nth: fc.nat({ max: 20 }),
  }),
  { minLength: 4, maxLength: 16 },
);

/** A contact without identifiers, older than all others: whoever is deleted is merged into it. */
export const bin = { id: 1, firstName: 'Bin', created_at: 1_000 };

/** The query of somebody else's requests, which tells them from the import's. */
export const byOthers = 'by=somebody-else';

/** Somebody else at work in the workspace, as its own pages would let them. */
export class SomebodyElse {
  readonly #deeds: Deed[];
  #step = 0;
  #atWork: Promise<void> = Promise.resolve();
  /** What was done. */
  readonly done: Deed['what'][] = [];

  constructor(all: readonly Deed[]) {
    this.#deeds = [...all];
  }

  /** A step of the import's requests: does what is due and allowed; all other requests wait meanwhile. */
  async step(real: RealImport, mayTouch: (identifier: string) => boolean): Promise<void> {
    this.#step += 1;
    this.#atWork = this.#atWork.then(() => this.#doWhatIsDue(real, mayTouch));
    await this.#atWork;
  }

  async #doWhatIsDue(real: RealImport, mayTouch: (identifier: string) => boolean): Promise<void> {
    for (const deed of this.#deeds.filter(({ at }) => at <= this.#step)) {
      const isDone = await this.#do(real, deed, mayTouch);
      if (isDone) this.#deeds.splice(this.#deeds.indexOf(deed), 1);
    }
  }

  /** Whether that was done with; what cannot be done now is tried again later. */
  async #do(real: RealImport, deed: Deed, mayTouch: (identifier: string) => boolean): Promise<boolean> {
    const { what, kind, nth } = deed;
    const all = real.sandbox.contacts().filter(({ id }) => id !== bin.id);
    const having = all.filter((contact) => contact[kind] !== null);
    const contact = having[nth % Math.max(1, having.length)];
    const value = contact?.[kind] ?? '';
    switch (what) {
      case 'create': {
        const own = { ...(deed.email && { email: deed.email }), ...(deed.phone && { phone: deed.phone }) };
        if (!Object.values(own).every(mayTouch)) return false;
        real.sandbox.add({ contacts: [{ firstName: 'Else', ...own }] });
        break;
      }
      case 'move': {
        const other = all.filter(({ id }) => id !== contact?.id)[nth % Math.max(1, all.length - 1)];
        if (contact === undefined || other === undefined || !mayTouch(value)) return false;
        await change(real, contact.id, { [kind]: null });
        await change(real, other.id, { [kind]: value });
        break;
      }
      case 'remove':
        if (contact === undefined) return false;
        await change(real, contact.id, { [kind]: null });
        break;
      case 'delete':
        if (contact === undefined) return false;
        await change(real, contact.id, { email: null, phone: null });
        await send(real, 'POST', '/contact/merge', { contactIds: [bin.id, contact.id], firstName: 'Bin' });
    }
    this.done.push(what);
    return true;
  }
}

async function change(real: RealImport, id: number, fields: Readonly<Record<string, string | null>>) {
  await send(real, 'PUT', `/contact/id:${id}`, fields);
}

async function send(real: RealImport, method: string, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${real.sandbox.baseUrl}${path}?${byOthers}`, {
    method,
    headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.text();
  // Somebody may have merged one of them meanwhile: then there is nothing to change.
  if (response.status >= 500) throw new Error(`${method} ${path} was answered with ${response.status}`);
}
