import { type Contact, contactFieldNames } from '../model/contact.ts';
import type { CustomValue } from '../model/custom-field.ts';
import type { FieldValues } from '../model/draft.ts';
import { formatRowLine } from '../model/row-place.ts';

/** The cells of a line of merge-proposals.csv by column, in the file's order. */
export type ProposalCells = Readonly<Record<string, string>>;

/** A merge that needs a manual decision. */
export interface MergeProposal {
  readonly line: number;
  readonly key: string | null;
  /** The older one first. */
  readonly contacts: readonly [older: Contact, newer: Contact];
  /** The values of the row. */
  readonly row: FieldValues;
  /** The values that the remaining contact would have. */
  readonly result: FieldValues;
  /** The names of all custom fields, in the workspace's order. */
  readonly customFields: readonly string[];
}

/** Returns a proposal as the cells of its line in merge-proposals.csv, without `approve`. */
export function toProposalCells({
  line,
  key,
  contacts,
  row,
  result,
  customFields,
}: MergeProposal): ProposalCells {
  const [older, newer] = contacts;
  const sides = [
    ['contact_1', valuesOf(older)],
    ['contact_2', valuesOf(newer)],
    ['row', row],
    ['result', result],
  ] as const;
  const fields: (readonly [field: string, of: (values: FieldValues) => CustomValue | undefined])[] = [
    ...contactFieldNames.map((name) => [name, (values: FieldValues) => values.contact[name]] as const),
    ...customFields.map(
      (name) =>
        [
          `customFields.${name}`,
          (values: FieldValues) =>
            Object.hasOwn(values.customFields, name) ? values.customFields[name] : undefined,
        ] as const,
    ),
  ];
  return Object.fromEntries([
    ['_line', formatRowLine(line)],
    ['_key', key ?? ''],
    ['contact_1_id', String(older.id)],
    ['contact_2_id', String(newer.id)],
    ...fields.flatMap(([field, of]) =>
      sides.map(([side, values]) => [`${side}.${field}`, String(of(values) ?? '')]),
    ),
  ]);
}

function valuesOf(contact: Contact): FieldValues {
  return {
    contact,
    customFields: Object.fromEntries(contact.custom_fields.map(({ name, value }) => [name, value])),
  };
}

/** Columns that Longshore writes into the list but that say nothing about the two contacts; they are not compared. */
const aside = new Set(['_line', 'approve']);
const ours = /^(?:_key$|contact_[12]_id$|(?:contact_[12]|row|result)\.)/;

/**
 * Returns the columns in which an approved line differs from the current proposal; if there are any, the approval was
 * for other values. A column that only one of the two has counts as different; columns that the user has added do not
 * count.
 */
export function listChangedProposalColumns(now: ProposalCells, approved: ProposalCells): readonly string[] {
  const columns = new Set([...Object.keys(now), ...Object.keys(approved).filter((name) => ours.test(name))]);
  return [...columns].filter(
    (column) => !aside.has(column) && lines(now[column]) !== lines(approved[column]),
  );
}

/** Normalizes line ends, which spreadsheets change. */
function lines(cell: string | undefined): string | undefined {
  return cell?.replace(/\r\n?/g, '\n');
}
