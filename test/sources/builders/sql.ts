import type { Builder, Person } from './builder.ts';

const tuple = ({ id, name, note }: Person) =>
  `(${[name, note, id].map((cell) => `'${cell.replaceAll("'", "''").replaceAll('\n', '\\n')}'`).join(',')})`;

const head = [
  '-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)',
  '/*!50503 SET NAMES utf8mb4 */;',
  'CREATE TABLE `people` (',
  '  `name` varchar(100) DEFAULT NULL,',
  '  `note` text,',
  '  `__proto__` varchar(20) NOT NULL,',
  '  PRIMARY KEY (`__proto__`)',
  ') ENGINE=InnoDB;',
  '',
];

/** A dump with one tuple a line, several INSERTs, and their end where mysqldump puts it. */
function dump(tuples: readonly string[]): Buffer {
  const lines = tuples.map((text, index) => {
    const begins = index % 100 === 0 ? 'INSERT INTO `people` VALUES ' : '';
    const ends = index % 100 === 99 || index === tuples.length - 1;
    return `${begins}${text}${ends ? ';' : ','}`;
  });
  return Buffer.from([...head, ...lines, '-- Dump completed', ''].join('\n'));
}

export const sql: Builder = {
  extension: 'sql',
  columns: { id: '__proto__', name: 'name', note: 'note' },
  build: (people) => dump(Array.from(people, tuple)),
  lines: (people) => people.map((_, index) => head.length + index + 1),
  // As mysqldump writes it.
  inOneLine: (people) =>
    Buffer.from(`${head.join('\n')}\nINSERT INTO \`people\` VALUES ${people.map(tuple).join(',')};\n`),
  broken: {
    build: (before, after) => dump([tuple(before), "('too','few')", tuple(after)]),
    code: 'row.ragged',
  },
  encodings: ['utf-8', 'utf-16'],
  cuts: (whole) => [whole.length / 3, (whole.length * 2) / 3, whole.lastIndexOf(');') + 1],
};
