// A mysqldump as mysqldump writes it: extended INSERTs of about 1 MB a line, escapes, NULLs, several tables, head and foot.
const insertBytes = 1_000_000;

const head = `-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
--
-- Host: localhost    Database: crm
-- ------------------------------------------------------
-- Server version	8.0.36

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!50503 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
`;

const foot = `
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;
/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;

-- Dump completed on 2024-05-01  3:12:45
`;

const prose = [
  'He said: \\"call me after the holidays\\", it\\\'s about the renewal.',
  'First line\\nsecond line\\r\\nthird line, with a path C:\\\\Exports\\\\2019',
  'Müller & Söhne – Rückruf gewünscht; 你好; plain text goes on for a while so that rows are as long as notes are',
  'Nothing special here, only words that somebody typed in a hurry after the third call of the day',
];

/** Tables in the order of the dump, with how much of it each takes; what is read in the end is the last. */
const tables = [
  {
    name: 'accounts',
    share: 0.05,
    columns: [
      '`id` char(36) NOT NULL',
      '`name` varchar(150) DEFAULT NULL',
      '`billing_city` varchar(100) DEFAULT NULL',
      "`deleted` tinyint(1) DEFAULT '0'",
    ],
    row: (n) =>
      `('${idOf(n, 'a')}','Company ${n}, O\\'Neill & Co.',${n % 7 === 0 ? 'NULL' : "'Kuala Lumpur'"},0)`,
  },
  {
    name: 'notes',
    share: 0.3,
    columns: [
      '`id` char(36) NOT NULL',
      '`parent_id` char(36) DEFAULT NULL',
      '`date_entered` datetime DEFAULT NULL',
      '`description` text',
      '`file_bytes` varbinary(64) DEFAULT NULL',
    ],
    row: (n) =>
      `('${idOf(n, 'n')}','${idOf(n % 400_000, 'c')}','2019-03-0${1 + (n % 9)} 08:15:${10 + (n % 50)}','${prose[n % 4]} ${prose[(n + 1) % 4]}',${n % 10 === 0 ? '0x89504E470D0A1A0A' : 'NULL'})`,
  },
  {
    name: 'contacts',
    share: 0.65,
    columns: [
      '`id` char(36) NOT NULL',
      '`date_entered` datetime DEFAULT NULL',
      '`first_name` varchar(100) DEFAULT NULL',
      '`last_name` varchar(100) DEFAULT NULL',
      '`email` varchar(150) DEFAULT NULL',
      '`phone_mobile` varchar(100) DEFAULT NULL',
      '`account_id` char(36) DEFAULT NULL',
      '`score` decimal(10,2) DEFAULT NULL',
      "`do_not_call` tinyint(1) DEFAULT '0'",
      '`description` text',
      "`deleted` tinyint(1) DEFAULT '0'",
    ],
    row: (n) =>
      `('${idOf(n, 'c')}','2018-11-1${n % 10} 22:04:51',${n % 9 === 0 ? 'NULL' : `'Zoë ${n}'`},'D\\'Arcy','person${n}@example.com','+1 202-555-01${String(n % 100).padStart(2, '0')}','${idOf(n % 50_000, 'a')}',${(n % 1_000) / 10},${n % 2},${n % 3 === 0 ? 'NULL' : `'${prose[n % 4]}'`},${n % 20 === 0 ? 1 : 0})`,
  },
];

function idOf(n, kind) {
  return `${kind}${String(n).padStart(7, '0')}-5e1f-11ee-be56-0242ac120002`;
}

/** The pieces of a dump of about so many bytes. `rows` counts, by table, what was written. */
export function* dumpText(bytes, rows) {
  yield head;
  for (const { name, share, columns, row } of tables) {
    yield `\n--\n-- Table structure for table \`${name}\`\n--\n\nDROP TABLE IF EXISTS \`${name}\`;\nCREATE TABLE \`${name}\` (\n`;
    yield `  ${columns.join(',\n  ')},\n  PRIMARY KEY (\`id\`)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;\n\n`;
    yield `LOCK TABLES \`${name}\` WRITE;\n/*!40000 ALTER TABLE \`${name}\` DISABLE KEYS */;\n`;
    rows[name] = 0;
    for (let written = 0; written < bytes * share; ) {
      let insert = `INSERT INTO \`${name}\` VALUES `;
      for (; insert.length < insertBytes; rows[name] += 1) insert += `${row(rows[name])},`;
      written += insert.length;
      yield `${insert.slice(0, -1)};\n`;
    }
    yield `/*!40000 ALTER TABLE \`${name}\` ENABLE KEYS */;\nUNLOCK TABLES;\n`;
  }
  yield foot;
}
