// How each format writes the same people; what is not here is listed as not measured.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { columns, people } from './people.mjs';
import { writeFileOf, writeZip } from './stream-file.mjs';

const delimited = (delimiter) =>
  function* (count) {
    yield `${columns.join(delimiter)}\n`;
    for (const cells of people(count)) yield `${cells.map(quoted).join(delimiter)}\n`;
  };

function quoted(cell) {
  return /["\n,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const csvText = delimited(',');

function objectOf(cells) {
  return JSON.stringify(Object.fromEntries(cells.map((cell, at) => [columns[at], cell])));
}

function* lines(count) {
  for (const cells of people(count)) yield `${objectOf(cells)}\n`;
}

function* document(count) {
  let before = '[\n';
  for (const cells of people(count)) {
    yield before + objectOf(cells);
    before = ',\n';
  }
  yield '\n]\n';
}

function* dump(count) {
  yield '-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)\n/*!50503 SET NAMES utf8mb4 */;\n';
  yield `CREATE TABLE \`people\` (\n${columns.map((name) => `  \`${name}\` text`).join(',\n')}\n) ENGINE=InnoDB;\n`;
  let n = 0;
  for (const cells of people(count)) {
    yield n % 5_000 === 0 ? `${n === 0 ? '' : ';\n'}INSERT INTO \`people\` VALUES ` : ',';
    yield `(${cells.map(literal).join(',')})`;
    n += 1;
  }
  yield ';\n-- Dump completed on 2024-05-01  3:00:00\n';
}

function* postgresDump(count) {
  yield "--\n-- PostgreSQL database dump\n--\n\nSET client_encoding = 'UTF8';\nSET standard_conforming_strings = on;\n\n";
  yield `CREATE TABLE public.people (\n${columns.map((name) => `    ${name} text`).join(',\n')}\n);\n\n`;
  yield `COPY public.people (${columns.join(', ')}) FROM stdin;\n`;
  for (const cells of people(count)) yield `${cells.map(copied).join('\t')}\n`;
  yield '\\.\n\n\n--\n-- PostgreSQL database dump complete\n--\n';
}

function copied(cell) {
  return cell === ''
    ? '\\N'
    : cell.replace(/[\\\t\n]/g, (sign) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n' })[sign]);
}

function literal(cell, at) {
  if (columns[at] === 'id' || columns[at] === 'score') return cell;
  return cell === '' ? 'NULL' : `'${cell.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`;
}

function* cards(count) {
  for (const cells of people(count)) {
    const [id, first, last, email, phone, company, city, country, segments, note, created, score] = cells.map(
      (cell) => cell.replace(/[\\,;]/g, '\\$&').replaceAll('\n', '\\n'),
    );
    yield `${[
      'BEGIN:VCARD',
      'VERSION:3.0',
      `UID:${id}`,
      `N:${last};${first};;;`,
      `FN:${first} ${last}`,
      `EMAIL;TYPE=INTERNET,WORK:${email}`,
      `TEL;TYPE=CELL:${phone}`,
      `ORG:${company}`,
      `ADR;TYPE=WORK:;;;${city};;;${country}`,
      `CATEGORIES:${segments}`,
      `NOTE:${note}`,
      `REV:${created}`,
      `X-SCORE:${score}`,
      'END:VCARD',
    ].join('\r\n')}\r\n`;
  }
}

async function workbook(path, count) {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const texts = new Map();
  const place = (text) => {
    if (!texts.has(text)) texts.set(text, texts.size);
    return texts.get(text);
  };
  function* sheet() {
    yield `<worksheet ${main}><sheetData>`;
    let row = 0;
    for (const cells of rows(count)) {
      row += 1;
      yield `<row r="${row}">${cells.map((cell, at) => xmlCell(cell, `${String.fromCharCode(65 + at)}${row}`, place)).join('')}</row>`;
    }
    yield '</sheetData></worksheet>';
  }
  function* strings() {
    yield `<sst ${main}>`;
    for (const text of texts.keys()) yield `<si><t xml:space="preserve">${escaped(text)}</t></si>`;
    yield '</sst>';
  }
  await writeZip(path, [
    ['[Content_Types].xml', [`<Types xmlns="${packages}/content-types"/>`]],
    ['_rels/.rels', [relations(packages, types, ['officeDocument', 'xl/workbook.xml'])]],
    [
      'xl/workbook.xml',
      [
        `<workbook ${main} xmlns:r="${types}"><sheets><sheet name="People" sheetId="1" r:id="r1"/></sheets></workbook>`,
      ],
    ],
    [
      'xl/_rels/workbook.xml.rels',
      [
        relations(
          packages,
          types,
          ['worksheet', 'worksheets/sheet1.xml'],
          ['sharedStrings', 'sharedStrings.xml'],
        ),
      ],
    ],
    ['xl/worksheets/sheet1.xml', sheet()],
    ['xl/sharedStrings.xml', strings()],
  ]);
}

function* rows(count) {
  yield columns;
  yield* people(count);
}

function xmlCell(cell, reference, place) {
  if (cell === '') return '';
  if (/^[1-9]\d{0,8}$/.test(cell)) return `<c r="${reference}"><v>${cell}</v></c>`;
  return `<c r="${reference}" t="s"><v>${place(cell)}</v></c>`;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function relations(packages, types, ...list) {
  const each = list.map(
    ([type, target], at) => `<Relationship Id="r${at + 1}" Type="${types}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${packages}/relationships">${each.join('')}</Relationships>`;
}

function database(path, count) {
  const file = new Database(path);
  file.exec(`CREATE TABLE people (${columns.map((name) => `"${name}" TEXT`).join(', ')})`);
  const insert = file.prepare(`INSERT INTO people VALUES (${columns.map(() => '?').join(', ')})`);
  file.transaction(() => {
    for (const cells of people(count)) insert.run(...cells);
  })();
  file.close();
}

async function exportFolder(path, count) {
  mkdirSync(path);
  await writeFileOf(join(path, 'people.csv'), csvText(count));
  await writeFileOf(join(path, 'companies.csv'), companies());
}

function* companies() {
  yield 'name,industry\n';
  for (let n = 0; n < 5_000; n += 1) yield `Company ${n} Ltd,Industry ${n % 20}\n`;
}

const file = (extension, texts) => ({
  extension,
  write: (path, count) => writeFileOf(path, texts(count)),
});

/** By format: how its file is written and with which options it is read, or why it is not measured. */
export const writers = {
  csv: file('csv', csvText),
  tsv: file('tsv', delimited('\t')),
  json: file('json', document),
  ndjson: file('ndjson', lines),
  jsonl: file('jsonl', lines),
  sql: file('sql', dump),
  vcard: file('vcf', cards),
  xlsx: { extension: 'xlsx', write: workbook },
  sqlite: { extension: 'sqlite', write: database },
  dump: {
    extension: 'folder',
    write: exportFolder,
    options: {
      table: 'people',
      join: { company: { table: 'companies', on: { company: 'name' } } },
    },
  },
  workspace: 'reads no file',
};

export const postgres = file('sql', postgresDump);

export const zippedCsv = {
  extension: 'zip',
  write: (path, count) => writeZip(path, [['export/people.csv', csvText(count)]]),
};

export const gzippedCsv = {
  extension: 'csv.gz',
  write: (path, count) => writeFileOf(path, csvText(count), { gzip: true }),
};
