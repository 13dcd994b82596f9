import { zip } from '../archive/packing.ts';
import type { Builder, Person } from './builder.ts';

/** A cell: text is a shared string, a number is a number, null is none; or the XML of its own, without its reference. */
export type Value = string | number | null | { readonly xml: string };

export interface WorkbookParts {
  /** Sheets by name; the rows of each from row 1 on, undefined for a row that the file does not have. */
  readonly sheets: Readonly<Record<string, readonly (readonly Value[] | undefined)[]>>;
  readonly hidden?: readonly string[];
  readonly from1904?: boolean;
  /** The number format of each cell style: an id, or a code. */
  readonly styles?: readonly (number | string)[];
  /** Parts in place of, or beside, those that are made. */
  readonly parts?: Readonly<Record<string, string | Buffer>>;
  /** Texts of the shared table in their own XML, put in front of the others. */
  readonly strings?: readonly string[];
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The bytes of a workbook, as spreadsheet programs write it. */
export function workbook({
  sheets,
  hidden = [],
  from1904 = false,
  styles = [],
  parts = {},
  strings = [],
}: WorkbookParts): Buffer {
  const shared = new Map<string, number>();
  const names = Object.keys(sheets);
  const made: Record<string, string | Buffer> = {
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': relations([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `${declaration}<workbook ${main} xmlns:r="${types}"><workbookPr${from1904 ? ' date1904="1"' : ''}/><sheets>${names
      .map(
        (name, at) =>
          `<sheet name="${escaped(name)}" sheetId="${at + 1}"${hidden.includes(name) ? ' state="hidden"' : ''} r:id="rId${at + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...names.map((_, at) => [`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ['rIdS', 'sharedStrings', 'sharedStrings.xml'],
      ['rIdT', 'styles', 'styles.xml'],
    ]),
    'xl/styles.xml': stylesPart(styles),
  };
  names.forEach((name, at) => {
    made[`xl/worksheets/sheet${at + 1}.xml`] = sheetPart(sheets[name] ?? [], shared, strings.length);
  });
  const own = [...shared.keys()].map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`);
  made['xl/sharedStrings.xml'] = `${declaration}<sst ${main}>${[...strings, ...own].join('')}</sst>`;
  const members = Object.entries({ ...made, ...parts });
  return zip(...members.map(([name, content]) => ({ name, content })));
}

function sheetPart(
  rows: readonly (readonly Value[] | undefined)[],
  shared: Map<string, number>,
  first: number,
): string {
  const written = rows.map((row, at) => {
    if (row === undefined) return '';
    const cells = row
      .map((value, column) => cell(`${letters(column)}${at + 1}`, value, shared, first))
      .join('');
    return `<row r="${at + 1}">${cells}</row>`;
  });
  return `${declaration}<worksheet ${main}><sheetData>${written.join('')}</sheetData></worksheet>`;
}

function cell(reference: string, value: Value, shared: Map<string, number>, first: number): string {
  if (value === null) return '';
  if (typeof value === 'object') return value.xml.replace('<c', `<c r="${reference}"`);
  if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`;
  const number = shared.get(value) ?? shared.size;
  shared.set(value, number);
  return `<c r="${reference}" t="s"><v>${first + number}</v></c>`;
}

function stylesPart(styles: readonly (number | string)[]): string {
  const codes = styles.map((style, at) =>
    typeof style === 'string' ? `<numFmt numFmtId="${200 + at}" formatCode="${escaped(style)}"/>` : '',
  );
  const xfs = styles.map((style, at) => `<xf numFmtId="${typeof style === 'string' ? 200 + at : style}"/>`);
  return `${declaration}<styleSheet ${main}><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${xfs.join('')}</cellXfs></styleSheet>`;
}

function relations(list: readonly (readonly [id: string, type: string, target: string])[]): string {
  const each = list.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${types}/${type}" Target="${target}"/>`,
  );
  return `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`;
}

function letters(column: number): string {
  return String.fromCharCode(65 + column);
}

/** Text as XML holds it. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function ofPerson({ id, name, note }: Person): readonly Value[] {
  return [name, note === '' ? null : note, id];
}

const head = ['name', '', '__proto__'];

export const xlsx: Builder = {
  extension: 'xlsx',
  columns: { id: '__proto__', name: 'name', note: '' },
  build: (people) => workbook({ sheets: { People: [head, ...Array.from(people, ofPerson)] } }),
  lines: (people) => people.map((_, at) => at + 2),
  inOneLine: null,
  broken: {
    build: (before, after) =>
      workbook({
        sheets: { People: [head, ofPerson(before), ['x', 'y', 'z', 'too much'], ofPerson(after)] },
      }),
    code: 'row.ragged',
  },
  encodings: [],
};
