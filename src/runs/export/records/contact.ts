import type { Contact } from '../../../model/contact.ts';
import { contactForm } from '../../../model/contact-record.ts';
import type { ExportRecord } from '../../../model/export-record.ts';
import { contactSchema } from '../../../workspace/index.ts';

export type Given = Readonly<Record<string, unknown>>;

/** A contact as the interface understands it, from how it was given. */
export function contactOf(given: Given): Contact {
  return contactSchema.parse(given);
}

/** A contact as a record; `fieldNames` are those of all custom fields of the workspace. */
export function contactExport(given: Given, fieldNames: readonly string[]): ExportRecord {
  return { given, normal: contactForm(contactOf(given), fieldNames) };
}
