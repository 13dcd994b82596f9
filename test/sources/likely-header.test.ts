import { describe, expect, it } from 'vitest';
import { detectHeader, type LeadingRow } from '../../src/sources/header.ts';

/** The line of the header of a table that is written with semicolons; null where there is none. */
function headerLine(table: string): number | null {
  const lines = table.split('\n').map((line, at): LeadingRow => ({ line: at + 1, cells: line.split(';') }));
  return detectHeader(lines)?.line ?? null;
}

const people =
  'K-1;Ada;Muster;ada@example.com;0711 123456;31.12.2023\nK-2;Bob;Beispiel;bob@example.com;0711 123457;1.2.2024';
const header = 'Nr;Vorname;Nachname;E-Mail;Telefon;Kunde seit';

describe('the header of a table', () => {
  it.each([
    ['is the first line', 1, `${header}\n${people}`],
    ['stands below a line of groups', 2, `Kunde;;;Kontakt;;Vertrag\n${header}\n${people}`],
    [
      'stands below groups that fill every column',
      2,
      `Kunde;Kunde;Kunde;Kontakt;Kontakt;Vertrag\n${header}\n${people}`,
    ],
    [
      'stands below a line of groups with a single row of data',
      2,
      'Person;;Kontakt\nVorname;Nachname;E-Mail\nAda;Muster;ada@example.com',
    ],
    ['stands below a title and a blank line', 3, `Kundenliste;;;;;\n;;;;;\n${header}\n${people}`],
    [
      'stands below what the report says of itself',
      4,
      `Bericht;Kunden\nErstellt am;01.02.2024\nBenutzer;admin\n${header}\n${people}`,
    ],
    [
      'stands below a title, groups and a blank line',
      4,
      `Kundenliste\n;;;;;\nKunde;;;Kontakt;;Vertrag\n${header}\n${people}`,
    ],
    [
      'leaves a column of numbers without a name',
      1,
      `;Vorname;E-Mail\n1;Ada;ada@example.com\n2;Bob;bob@example.com`,
    ],
    ['leaves a column of words without a name', 1, ';Name;Ort\nAda;Muster;Ulm\nBob;Beispiel;Bonn'],
    ['is the first line of a table of words', 1, 'Name;Ort\nAda;Ulm\nBob;Bonn\nCleo;Ulm'],
    ['has years for names', 1, 'Name;2022;2023\nAda;17;18\nBob;19;20'],
    [
      'has names of which one column is nearly empty',
      1,
      'Name;E-Mail;Notiz\nAda;ada@example.com;\nBob;bob@example.com;ja',
    ],
    ['is repeated further down', 1, `${header}\n${people}\n${header}\n${people}`],
    ['is the first of two that name the same', 1, `${header}\nid;first;last;email;phone;since\n${people}`],
    [
      'stands above a column that one row fills with something else',
      1,
      'Name;E-Mail\nAda;none\nBob;bob@example.com\nCleo;cleo@example.com',
    ],
    [
      'stands above a row that was broken apart',
      1,
      `Name;E-Mail\nAda;ada@example.com\n${'x;'.repeat(30)}\nBob;bob@example.com`,
    ],
  ])('%s', (_what, line, table) => {
    expect(headerLine(table)).toBe(line);
  });

  it.each([
    ['the first line is a person', people],
    ['the first line below a title is a person', `Kundenliste\n${people}`],
    ['the first line has values of several kinds', 'K-1;Ada;31.12.2023\nK-2;Bob;1.2.2024\nK-3;Cleo;3.2.2024'],
  ])('is missing where %s', (_what, table) => {
    expect(headerLine(table)).toBeNull();
  });
});
