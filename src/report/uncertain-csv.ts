import { z } from 'zod';
import { type JournalFile, type UncertainStep, uncertainAfter } from '../journal/index.ts';
import { byId, identifierText } from '../model/identifier.ts';
import { csvText, pagesOf } from './csv-list.ts';

/** The columns of the file. */
export const uncertainColumns = ['_line', '_key', 'contactId', 'identifier', 'step', 'text', 'sentAt'];

/** What an intent can say of whom it was about and what was sent. */
const intentSchema = z.object({
  contactId: z.number().nullish(),
  comment: z.string().optional(),
  part: z.object({ number: z.number(), of: z.number() }).optional(),
  text: z.string().optional(),
});

/** Before all steps, those of the run itself included. */
const start = { seq: Number.MIN_SAFE_INTEGER, name: '', item: '' };

/** The text of uncertain.csv piece by piece: what may have been sent and cannot be read back. */
export function uncertainCsv(file: JournalFile, run: number): AsyncIterable<string> {
  const pages = pagesOf<UncertainStep>((after, limit) => uncertainAfter(file, run, after ?? start, limit));
  return csvText(uncertainColumns, pages, record);
}

function record(step: UncertainStep): string[] {
  const parsed = intentSchema.safeParse(step.intent);
  const intent = parsed.success ? parsed.data : {};
  const contact = intent.contactId ?? step.contact;
  return [
    step.line === null ? '' : String(step.line),
    step.key ?? '',
    contact === null ? '' : String(contact),
    contact === null ? '' : identifierText(byId(contact)),
    stepText(step, intent),
    intent.text ?? '',
    step.sentAt === null ? '' : new Date(step.sentAt).toISOString(),
  ];
}

/** `comment origin`, and `comment origin (2/3)` where it was sent in parts. */
function stepText({ name, item }: UncertainStep, { comment, part }: z.infer<typeof intentSchema>): string {
  const which = part === undefined || part.of === 1 ? '' : `(${part.number}/${part.of})`;
  return [name, comment ?? item, which].filter((word) => word !== '').join(' ');
}
