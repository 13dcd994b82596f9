import { z } from 'zod';
import type { Contact, ContactBody, ContactFields } from '../model/contact.ts';
import type { Draft, FieldValues } from '../model/draft.ts';
import { idToIdentifier } from '../model/identifier.ts';
import type { Problem } from '../model/problem.ts';
import {
  applyCustomFieldChanges,
  computeFieldChanges,
  contactBodySchema,
  type FieldChange,
  fieldChangeSchema,
  findCustomValue,
} from './field-change.ts';
import type { FieldComparator } from './field-rules.ts';
import { createMissingFirstNameProblem } from './first-name.ts';
import { contactStepDefaults, type Step, settleByReading, toStepAnswer } from './step.ts';

const effectSchema = z.object({
  contactId: z.number(),
  changes: z.array(fieldChangeSchema),
  body: contactBodySchema,
});

export interface UpdateContactEffect {
  readonly contactId: number;
  /** The changes, each with the previous value. */
  readonly changes: readonly FieldChange[];
  readonly body: ContactBody;
}

export type UpdatePlan =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'effect'; readonly effect: UpdateContactEffect }
  | { readonly kind: 'problem'; readonly problem: Problem };

/**
 * Plans the update that gives the contact the draft's values; returns a problem if neither the draft nor the contact
 * has a first name, which an update must send.
 */
export function planUpdate(
  draft: Draft,
  contact: Contact,
  rules: FieldComparator,
  only: 'changed' | 'empty',
): UpdatePlan {
  const changes = computeFieldChanges(draft.values, contact, rules, only);
  if (changes.length === 0) return { kind: 'nothing' };
  const effect = buildUpdateEffect(contact, changes, rules, draft.defaults.contact.firstName);
  if (effect !== undefined) return { kind: 'effect', effect };
  const reason = `contact ${contact.id} has no first name, and an update must send one`;
  return { kind: 'problem', problem: createMissingFirstNameProblem(reason) };
}

/**
 * Returns the update with these changes, the first name, and all custom fields if one changes; undefined if
 * there is no first name to send.
 */
export function buildUpdateEffect(
  contact: Contact,
  changes: readonly FieldChange[],
  rules: FieldComparator,
  otherwise: string | null | undefined,
): UpdateContactEffect | undefined {
  const changed: ContactFields = Object.fromEntries(
    changes.flatMap((change) => (change.kind === 'contact' ? [[change.name, change.to]] : [])),
  );
  const firstName = changed.firstName || contact.firstName || otherwise;
  if (!firstName) return undefined;
  const custom = changes.some((change) => change.kind === 'custom')
    ? { custom_fields: applyCustomFieldChanges(contact, changes, rules) }
    : {};
  return { contactId: contact.id, changes, body: { ...changed, firstName, ...custom } };
}

/**
 * Creates the step that sends PUT /contact/id:…. The same body sent again has no second effect, so an update that is
 * not visible may be repeated.
 */
export function createContactUpdateStep(rules: FieldComparator): Step<UpdateContactEffect> {
  return {
    name: 'update',
    label: 'contacts updated',
    ...contactStepDefaults,
    parse: (intent) => effectSchema.parse(intent),
    before: ({ changes }) => valuesBefore(changes),
    async send(workspace, effect, options) {
      // The client must not resend it: an update without an answer may arrive after a later one, so the run must know
      // that the answer was lost.
      const once = { ...options, idempotent: false };
      const answer = await workspace.contacts.update(idToIdentifier(effect.contactId), effect.body, once);
      return toStepAnswer(answer, effect.contactId);
    },
    settle: (workspace, effect, options) =>
      settleByReading(
        workspace,
        effect.contactId,
        (contact) => effect.changes.every((change) => hasTaken(change, contact, rules)),
        options,
      ),
  };
}

/** Returns the old values of the fields that change. */
function valuesBefore(changes: readonly FieldChange[]): FieldValues {
  const of = (kind: FieldChange['kind']) =>
    changes.flatMap((change) => (change.kind === kind ? [[change.name, change.from]] : []));
  return { contact: Object.fromEntries(of('contact')), customFields: Object.fromEntries(of('custom')) };
}

/**
 * Returns true if the contact has at least one of the update's changes. An update is applied as a whole, so any field
 * without its change was edited later.
 */
export function hasTakenEffect(
  { changes }: UpdateContactEffect,
  contact: Contact,
  rules: FieldComparator,
): boolean {
  return changes.some((change) => hasTaken(change, contact, rules));
}

function hasTaken(change: FieldChange, contact: Contact, rules: FieldComparator): boolean {
  return change.kind === 'contact'
    ? rules.sameContactField(change.name, contact[change.name], change.to)
    : rules.sameCustomField(change.name, findCustomValue(contact.custom_fields, change.name), change.to);
}
