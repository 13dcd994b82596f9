import { xmlText } from './xml-text.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const schemas = 'http://schemas.openxmlformats.org';
const relations = `${schemas}/officeDocument/2006/relationships`;
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** What the parts are. Every XML that is not named is a sheet, so that it can be written before their number is known. */
export const contentTypesXml =
  `${declaration}<Types xmlns="${schemas}/package/2006/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `<Default Extension="xml" ContentType="${types}.worksheet+xml"/>` +
  `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`;

/** Where the workbook is. */
export const packageRelationsXml =
  `${declaration}<Relationships xmlns="${schemas}/package/2006/relationships">` +
  `<Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

/** The workbook with its sheets, in order. */
export function workbookXml(sheets: readonly string[]): string {
  const listed = sheets.map(
    (name, index) => `<sheet name="${xmlText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return (
    `${declaration}<workbook xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${relations}">` +
    `<sheets>${listed.join('')}</sheets></workbook>`
  );
}

/** Where the sheets and the styles are. */
export function workbookRelationsXml(sheets: readonly string[]): string {
  const listed = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  return (
    `${declaration}<Relationships xmlns="${schemas}/package/2006/relationships">${listed.join('')}` +
    `<Relationship Id="rId${sheets.length + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`
  );
}

/** What stands before the rows of a sheet: its first row stays in sight, and columns are wide enough to read. */
export function sheetHead(columns: number): string {
  const width =
    columns === 0 ? '' : `<cols><col min="1" max="${columns}" width="20" customWidth="1"/></cols>`;
  return (
    `${declaration}<worksheet xmlns="${schemas}/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `${width}<sheetData>`
  );
}

/** What stands behind them. */
export const sheetTail = '</sheetData></worksheet>';
