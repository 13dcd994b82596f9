import { z } from 'zod';
import type { FilledFieldFlags } from '../../../journal/index.ts';
import type { Contact } from '../../../model/contact.ts';
import type { FieldValues } from '../../../model/draft.ts';
import { findCustomValue } from '../../../steps/field-change.ts';
import { contactMergeStep } from '../../../steps/merge-contacts.ts';
import { createContactUpdateStep } from '../../../steps/update-contact.ts';
import type { PersonTask } from './progress.ts';
import type { ContactWriteResult } from './write-contact.ts';

/** Returns the value of a field (`email`, `customFields.Plan`); undefined where it is not known. */
type Values = (field: string) => unknown;

const customPrefix = 'customFields.';

/**
 * Returns which mapped fields had a value before this run and which have one now; undefined in a
 * deferred-only run, and where the run has no list of mapped fields.
 */
export function buildFilledFields(
  task: PersonTask,
  written: ContactWriteResult,
): FilledFieldFlags | undefined {
  const { fillFields, scope } = task.context;
  if (fillFields.length === 0 || scope.deferredOnly) return undefined;
  const now = after(task, written);
  const then = before(task, written);
  return {
    before: fillFields.map((field) => isFilled(then(field))),
    after: fillFields.map((field) => isFilled(now(field))),
  };
}

function after({ person }: PersonTask, { contact, progress }: ContactWriteResult): Values {
  const { values, defaults } = person.draft;
  const ofRow = valuesOf(values);
  if (contact === null) {
    const ofMapping = valuesOf(defaults);
    return (field) => {
      const said = ofRow(field);
      return said === undefined ? ofMapping(field) : said;
    };
  }
  const read = contactValues(contact);
  // The contact was read after the merge and has the merged values.
  if (progress.did === 'merged') return read;
  return (field) => {
    const isSent = Object.hasOwn(progress.applied, field);
    // A first name cannot be cleared.
    return isSent && (field !== 'firstName' || isFilled(ofRow(field))) ? ofRow(field) : read(field);
  };
}

function before(task: PersonTask, { contact, progress }: ContactWriteResult): Values {
  if (progress.did === 'created' || contact === null) return () => undefined;
  if (progress.did === 'merged') return beforeMerge(task, progress.mergedInto) ?? contactValues(contact);
  const replaced = replacedBefore(task, contact.id);
  const read = contactValues(contact);
  return (field) => (replaced.has(field) ? replaced.get(field) : read(field));
}

/**
 * Returns, by field, the values that the contact had before the updates that earlier sessions of this run sent; the
 * contact itself was read only after these updates.
 */
function replacedBefore({ context, person }: PersonTask, contactId: number): ReadonlyMap<string, unknown> {
  const updating = createContactUpdateStep(context.rules);
  const found = new Map<string, unknown>();
  for (const step of person.open) {
    if (step.name !== updating.name) continue;
    const effect = updating.parse(step.intent);
    if (effect.contactId !== contactId) continue;
    for (const { kind, name, from } of effect.changes) {
      const field = kind === 'custom' ? `${customPrefix}${name}` : name;
      if (!found.has(field)) found.set(field, from);
    }
  }
  return found;
}

const picture = z.looseObject({ custom_fields: z.array(z.object({ name: z.string(), value: z.unknown() })) });
const beforeImage = z.object({ contacts: z.tuple([picture], picture) });

/** Returns the older contact's values before the merge; undefined where they were not recorded. */
function beforeMerge({ person }: PersonTask, mergedInto: Contact | undefined): Values | undefined {
  if (mergedInto !== undefined) return contactValues(mergedInto);
  const merge = person.open.find(({ name }) => name === contactMergeStep.name);
  const older = beforeImage.safeParse(merge?.before).data?.contacts[0];
  if (older === undefined) return undefined;
  return (field) =>
    field.startsWith(customPrefix)
      ? older.custom_fields.find(({ name }) => `${customPrefix}${name}` === field)?.value
      : older[field];
}

function contactValues(contact: Contact): Values {
  const contactFields = new Map<string, unknown>(Object.entries(contact));
  return (field) =>
    field.startsWith(customPrefix)
      ? findCustomValue(contact.custom_fields, field.slice(customPrefix.length))
      : contactFields.get(field);
}

function valuesOf({ contact, customFields }: FieldValues): Values {
  const values = new Map<string, unknown>([
    ...Object.entries(contact),
    ...Object.entries(customFields).map(([name, value]) => [`${customPrefix}${name}`, value] as const),
  ]);
  return (field) => values.get(field);
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
