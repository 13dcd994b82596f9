import { z } from 'zod';
import type { Contact, ContactBody } from '../model/contact.ts';
import type { Draft } from '../model/draft.ts';
import { formatIdentifier, type Identifier } from '../model/identifier.ts';
import type { Problem } from '../model/problem.ts';
import { contactBodySchema, identifierSchema } from './field-change.ts';
import { createMissingFirstNameProblem } from './first-name.ts';
import type { SettleResult, Step } from './step.ts';

const effectSchema = z.object({
  identifiers: z.array(identifierSchema),
  folded: z.array(identifierSchema).optional(),
  body: contactBodySchema,
});

export interface CreateContactEffect {
  /** All identifiers of the person; the first is the one in the path. */
  readonly identifiers: readonly Identifier[];
  /** Identifiers of rows merged into this one, which the contact does not get; absent where there are none. */
  readonly folded?: readonly Identifier[] | undefined;
  readonly body: ContactBody;
}

/**
 * Plans the creation of a contact with the row's values and, for fields without one, the mapping's defaults; returns a
 * problem if the first name is missing.
 */
export function planCreate(
  draft: Draft,
  identifiers: readonly Identifier[],
  lookedUpBy: readonly Identifier[] = identifiers,
):
  | { readonly ok: true; readonly effect: CreateContactEffect }
  | { readonly ok: false; readonly problem: Problem } {
  const fields = { ...draft.defaults.contact, ...draft.values.contact };
  const { firstName } = fields;
  if (firstName === undefined || firstName === null || firstName === '') {
    return { ok: false, problem: createMissingFirstNameProblem('a new contact needs a first name') };
  }
  const custom = Object.entries({ ...draft.defaults.customFields, ...draft.values.customFields })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ({ name, value }));
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const body = { ...present, firstName, ...(custom.length > 0 ? { custom_fields: custom } : {}) };
  const sent = new Set(identifiers.map(formatIdentifier));
  const folded = lookedUpBy.filter((identifier) => !sent.has(formatIdentifier(identifier)));
  return { ok: true, effect: { identifiers, ...(folded.length > 0 && { folded }), body } };
}

/**
 * The step that sends POST /contact/{identifier}: it is not idempotent, its answer has no id, and the contact becomes
 * visible only after the workspace has processed it.
 */
export const contactCreateStep: Step<CreateContactEffect> = {
  name: 'create',
  label: 'contacts created',
  eventuallyVisible: true,
  parse: (intent) => effectSchema.parse(intent),
  // There was no contact before; the identifiers of the effect find the created one.
  before: () => null,
  creates: (effect) => effect.identifiers.map(formatIdentifier),
  mayArriveLate: () => [],
  send(workspace, effect, options) {
    const [identifier] = effect.identifiers;
    if (identifier === undefined)
      return Promise.resolve({ kind: 'refused', status: 400, message: 'neither e-mail nor phone' });
    return workspace.contacts
      .create(identifier, effect.body, options)
      .then((answer) => (answer.kind === 'ok' ? { kind: 'ok', value: { contactId: null } } : answer));
  },
  async settle(workspace, effect, options): Promise<SettleResult> {
    let other: Contact | undefined;
    for (const identifier of effect.identifiers) {
      const answer = await workspace.contacts.read(identifier, options);
      if (answer.kind === 'absent') continue;
      if (answer.kind !== 'ok') return { kind: 'unknown', message: answer.message };
      if (isOurs(effect, answer.value)) return { kind: 'done', contact: answer.value };
      other ??= answer.value;
    }
    return other === undefined ? { kind: 'absent' } : { kind: 'other', contact: other };
  },
};

/**
 * Returns true if the contact counts as the one that this create made: it has the first name that was sent. Other
 * fields are not compared, because they may have been edited since.
 */
function isOurs(effect: CreateContactEffect, contact: Contact): boolean {
  return contact.firstName === effect.body.firstName;
}
