import { expect, test } from 'vitest';
import { extractNamePart } from '../../src/datatypes/index.ts';

const names: readonly (readonly [written: string, given: string, family: string])[] = [
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['Lovelace, Ada', 'Ada', 'Lovelace'],
  ['Garçon, Gaël', 'Gaël', 'Garçon'],
  ['Garçon,Gaël', 'Gaël', 'Garçon'],
  ['  Gaël   Garçon ', 'Gaël', 'Garçon'],
  ['Ada', 'Ada', ''],
  ['Lovelace,', '', 'Lovelace'],
  [', Ada', 'Ada', ''],
  ['María García López', 'María', 'García López'],
  ['García López, María José', 'María José', 'García López'],
  ['Jan van der Berg', 'Jan', 'van der Berg'],
  ['Jan Peter van der Berg', 'Jan Peter', 'van der Berg'],
  ['van der Berg, Jan', 'Jan', 'van der Berg'],
  ['Berg, Jan van der', 'Jan', 'van der Berg'],
  ['José Ortega y Gasset', 'José', 'Ortega y Gasset'],
  ['João Carlos da Silva', 'João Carlos', 'da Silva'],
  ['Maria de la Cruz', 'Maria', 'de la Cruz'],
  ['Ludwig von Beethoven', 'Ludwig', 'von Beethoven'],
  ['van der Berg', '', 'van der Berg'],
  ['John F. Kennedy', 'John F.', 'Kennedy'],
  ['J. R. R. Tolkien', 'J. R. R.', 'Tolkien'],
  ['Dr. Ada Lovelace', 'Dr. Ada', 'Lovelace'],
  ['Prof. Dr. Ada Lovelace', 'Prof. Dr. Ada', 'Lovelace'],
  ['Lovelace, Dr. Ada', 'Dr. Ada', 'Lovelace'],
  ['Dr. Lovelace, Ada', 'Dr. Ada', 'Lovelace'],
  ['Frau Müller', 'Frau', 'Müller'],
  ['Mr Bob Stone', 'Mr Bob', 'Stone'],
  ['Martin King, Jr.', 'Martin', 'King, Jr.'],
  ['King, Martin, Jr.', 'Martin', 'King, Jr.'],
  ['Ada Lovelace, PhD', 'Ada', 'Lovelace, PhD'],
  ['DUPONT Jean', 'Jean', 'DUPONT'],
  ['DE LA FONTAINE Jean', 'Jean', 'DE LA FONTAINE'],
  ['Jean DUPONT', 'Jean', 'DUPONT'],
  ['ADA LOVELACE', 'ADA', 'LOVELACE'],
  ['王小明', '王小明', ''],
  ['渡辺　美咲', '美咲', '渡辺'],
  ['王 小明', '小明', '王'],
  ['김 민준', '민준', '김'],
  ['さくら ももこ', 'ももこ', 'さくら'],
  ['ジョン スミス', 'ジョン', 'スミス'],
  ['山田、太郎', '太郎', '山田'],
  ['Dr. 藤原　和也', 'Dr. 和也', '藤原'],
  ['Dr. 藤原', 'Dr.', '藤原'],
  ['Prof. Dr. 김 민수', 'Prof. Dr. 민수', '김'],
];

test.each(names)('%j is the given name %j and the family name %j', (written, given, family) => {
  expect([extractNamePart(written, 'given'), extractNamePart(written, 'family')]).toEqual([given, family]);
});

test.each([
  ['Иванов Иван Иванович', 'Иван Иванович', 'Иванов'],
  ['Rossi Mario', 'Mario', 'Rossi'],
  ['De Luca Paolo', 'Paolo', 'De Luca'],
  ['van der Berg Jan', 'Jan', 'van der Berg'],
  ['Dr. Kovács Éva', 'Dr. Éva', 'Kovács'],
  ['NAGY István', 'István', 'NAGY'],
  ['Rossi, Mario', 'Mario', 'Rossi'],
  ['渡辺 美咲', '美咲', '渡辺'],
  ['ヤマダ タロウ', 'タロウ', 'ヤマダ'],
  ['Mario', 'Mario', ''],
])('with the family name first, %j is %j and %j', (written, given, family) => {
  expect(extractNamePart(written, 'given', true)).toBe(given);
  expect(extractNamePart(written, 'family', true)).toBe(family);
});
