import { contactFieldTypes, dataTypes, findDataType } from '../../datatypes/index.ts';
import { type ContactFieldName, contactFieldNames } from '../../model/contact.ts';
import type { CustomField, CustomValue } from '../../model/custom-field.ts';
import type { FieldValues } from '../../model/draft.ts';
import { detectSpreadsheetReformatting } from '../retry/rewritten-cell.ts';

type Cells = Readonly<Record<string, string>>;

/**
 * A function that creates the error for an edited cell that is not a valid value of its field, or that a spreadsheet
 * has damaged.
 */
export type CellErrorFactory = (column: string, message: string, next: string) => Error;

const resultColumn = /^result\.(.+)$/s;
const sides = ['contact_1', 'contact_2', 'row'] as const;

/**
 * Returns the edited values of a proposed result, as values of the contact that remains; null for an emptied field. A
 * spreadsheet rewrites cells anywhere in a line, while a person edits only the result. So a result cell does not count
 * as edited if its column is missing from the file, or if an equal cell of `contact_1`, `contact_2` or the row was
 * rewritten in the same way. Throws the error that `refuse` creates if an edited value is not valid for its field, or
 * if a spreadsheet has damaged it.
 */
export function parseEditedResult(
  proposed: Cells,
  filled: Cells,
  fields: readonly CustomField[],
  refuse: CellErrorFactory,
): FieldValues {
  const contact: Partial<Record<ContactFieldName, string | null>> = {};
  const customFields = new Map<string, CustomValue>();
  for (const { column, field, text } of findEditedCells(proposed, filled)) {
    assertNotDamaged(column, proposed[column] ?? '', text, refuse);
    const name = contactFieldNames.find((each) => each === field);
    if (name !== undefined) contact[name] = contactValue(name, column, text, refuse);
    const custom = fields.find((each) => `customFields.${each.name}` === field);
    if (custom !== undefined) customFields.set(custom.name, customValue(custom, column, text, refuse));
  }
  return { contact, customFields: Object.fromEntries(customFields) };
}

/** Returns the edited cells of the `result.` columns, trimmed and with LF line ends. */
export function findEditedCells(
  proposed: Cells,
  filled: Cells,
): { readonly column: string; readonly field: string; readonly text: string }[] {
  return Object.keys(proposed).flatMap((column) => {
    const field = resultColumn.exec(column)?.[1];
    const now = filled[column];
    if (field === undefined || now === undefined) return [];
    const before = proposed[column] ?? '';
    const isRewritten = sides.some((side) => {
      const [old, written] = [proposed[`${side}.${field}`], filled[`${side}.${field}`]];
      return old !== '' && old === before && written !== old && written?.trim() === now.trim();
    });
    const isSame =
      plain(now) === plain(before) || detectSpreadsheetReformatting(before, now)?.kind === 'same';
    return isSame || isRewritten ? [] : [{ column, field, text: plain(now) }];
  });
}

/** Returns a cell trimmed and with LF line ends, because spreadsheets change line ends. */
function plain(cell: string): string {
  return cell.replace(/\r\n?/g, '\n').trim();
}

function assertNotDamaged(column: string, before: string, text: string, refuse: CellErrorFactory): void {
  const found = detectSpreadsheetReformatting(before, text);
  if (found === null) return;
  const why =
    found.kind === 'lost'
      ? 'a spreadsheet has destroyed its digits'
      : 'a spreadsheet may have written it, and it can be read in two ways';
  throw refuse(
    column,
    `"${text}" under "${column}" cannot be taken: ${why} (it was ${JSON.stringify(before)}).`,
    'Write the value again in a cell that is formatted as text; dates as yyyy-mm-dd.',
  );
}

function contactValue(
  name: ContactFieldName,
  column: string,
  text: string,
  refuse: CellErrorFactory,
): string | null {
  if (text === '' && name === 'firstName')
    throw refuse(column, `"${column}" is empty, and a merge must send a first name.`, 'Write a first name.');
  if (text === '') return null;
  const parsed = contactFieldTypes[name].parse(text, undefined);
  if (parsed.ok) return parsed.value;
  throw invalid(column, text, parsed.reason, refuse);
}

function customValue(
  field: CustomField,
  column: string,
  text: string,
  refuse: CellErrorFactory,
): CustomValue {
  const type = findDataType(field.dataType) ?? dataTypes.text;
  if (text === '') return null;
  const parsed = type.reader({}, { allowedValues: field.allowedValues ?? undefined }).read(text);
  if (parsed.ok) return parsed.value;
  throw invalid(column, text, parsed.reason, refuse);
}

function invalid(column: string, text: string, reason: string, refuse: CellErrorFactory): Error {
  return refuse(
    column,
    `"${text}" under "${column}" is not valid: ${reason}`,
    'Write a valid value, or leave the cell as the run had written it.',
  );
}
