import { z } from 'zod';
import type { UncertainStep } from '../../journal/index.ts';

/** The fields of an intent that identify the contact and the comment, with the text that was sent. */
const intentSchema = z.object({
  contactId: z.number().nullish(),
  comment: z.string().optional(),
  part: z.object({ number: z.number(), of: z.number() }).optional(),
  text: z.string().optional(),
});

/** A comment that may have been sent, as uncertain.csv shows it; null for what is not known. */
export interface UncertainComment {
  /** The row's sheet; null unless the input has several sheets. */
  readonly sheet: string | null;
  /** The line of the row in the input. */
  readonly line: number | null;
  readonly key: string | null;
  readonly contact: number | null;
  /** `comment story (2/3)`, or `comment story of key:17` where several rows were one person. */
  readonly step: string;
  readonly text: string;
  readonly sentAt: number | null;
}

/** Returns an uncertain comment with the properties by which it can be found in the workspace. */
export function toUncertainComment(step: UncertainStep): UncertainComment {
  const intent = intentOf(step);
  return {
    sheet: step.sheet,
    line: step.line,
    key: step.key,
    contact: intent.contactId ?? step.contact,
    step: [step.name, step.item].filter((word) => word !== '').join(' '),
    text: intent.text ?? '',
    sentAt: step.sentAt,
  };
}

/** Returns an id that is unique for a comment within its run. */
export function createUncertainCommentId({
  sheet,
  line,
  contact,
  step,
}: Pick<UncertainComment, 'sheet' | 'line' | 'contact' | 'step'>): string {
  return JSON.stringify([sheet, line, contact, step]);
}

/**
 * Returns the key (or identifier) and the id under which a comment is remembered, and the number of its part, from 0;
 * undefined for a step that is not a comment or has no such key.
 */
export function toCommentRecordKey(
  step: UncertainStep,
): { readonly under: string; readonly id: string; readonly part: number } | undefined {
  const { comment: id, part } = intentOf(step);
  if (id === undefined || part === undefined) return undefined;
  const whole = part.of === 1 ? step.item : step.item.slice(0, -` (${part.number}/${part.of})`.length);
  const ofRow = whole.startsWith(`${id} of `) ? whole.slice(`${id} of `.length) : undefined;
  // The comment of a person with one row is remembered under the row's key, or under its identifier if it has no key.
  const own = step.key === null ? step.identifier : `key:${step.key}`;
  const under = whole === id ? own : ofRow;
  return under === undefined || under === null ? undefined : { under, id, part: part.number - 1 };
}

function intentOf({ intent }: UncertainStep): z.infer<typeof intentSchema> {
  const parsed = intentSchema.safeParse(intent);
  return parsed.success ? parsed.data : {};
}
