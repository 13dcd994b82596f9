import type { DataTypeName } from '../../src/datatypes/index.ts';
import type { CustomValue } from '../../src/model/custom-field.ts';

/** The cells that a data type must read, refuse and compare; the suite loops over them. */
export interface Samples {
  readonly reads: readonly (readonly [cell: string, value: string | number | boolean, rule?: object])[];
  readonly refuses: readonly (readonly [cell: string, saying: string, rule?: object])[];
  readonly same: readonly (readonly [readBack: unknown, wanted: CustomValue])[];
  readonly different: readonly (readonly [readBack: unknown, wanted: CustomValue])[];
}

/** A missing data type does not compile. */
export const samples: Readonly<Record<DataTypeName, Samples>> = {
  text: {
    reads: [
      ['Acme', 'Acme'],
      ['  kept as it is ', '  kept as it is '],
      ['12345', '12345', { maxLength: 5 }],
    ],
    refuses: [['123456', 'has 6 characters; at most 5', { maxLength: 5 }]],
    same: [['Acme', 'Acme']],
    different: [
      ['Acme', 'ACME'],
      ['Acme ', 'Acme'],
    ],
  },
  number: {
    reads: [
      ['42', 42],
      ['-1.50', -1.5],
      ['+007', 7],
      ['−3', -3],
      ['-0', 0],
      ['1.234', 1.234],
      ['0.1', 0.1],
      ['9007199254740991', 9007199254740991],
      ['1,5', 1.5, { decimal: ',' }],
      ['1,234', 1234, { thousands: ',' }],
      ['12,34,567.5', 1234567.5, { thousands: ',' }],
      ['1234', 1234, { thousands: ',' }],
      ['1.234,5', 1234.5, { thousands: '.' }],
      ['1.234', 1234, { thousands: '.' }],
      ['1 234,5', 1234.5, { thousands: ' ', decimal: ',' }],
      ['1\u202f234', 1234, { thousands: ' ' }],
      ['1’234.5', 1234.5, { thousands: "'" }],
      ['1_000', 1000, { thousands: '_' }],
    ],
    refuses: [
      ['1,234', 'is ambiguous'],
      ['1.234', 'is ambiguous', { decimal: ',' }],
      ['1 234', 'is ambiguous'],
      ['1,23', 'not a number', { thousands: ',' }],
      ['$5', 'without units'],
      ['5%', 'without units'],
      ['1e5', 'not a number'],
      ['0x10', 'not a number'],
      ['Infinity', 'not a number'],
      ['5-', 'not a number'],
      ['12345678901234567890', 'more digits than a number can store'],
      ['0.12345678901234567', 'more digits than a number can store'],
    ],
    same: [
      ['42', 42],
      ['1.50', 1.5],
      [42, 42],
      ['-0', 0],
    ],
    different: [
      ['42', 43],
      ['', 0],
      ['many', 42],
    ],
  },
  email: {
    reads: [
      [' ADA@Example.COM ', 'ada@example.com'],
      ['jörg@münchen.example', 'jörg@münchen.example'],
    ],
    refuses: [
      ['noaddress', 'it has no @'],
      ['a@b@c.com', 'more than one @'],
    ],
    same: [['Ada@Example.com', 'ada@example.com']],
    different: [['ada@example.com', 'bob@example.com']],
  },
  url: {
    reads: [
      ['www.example.com', 'www.example.com'],
      ['https://www.example.com/a?b=c#d', 'https://www.example.com/a?b=c#d'],
      ['site', 'site'],
      ['http://site', 'http://site'],
      ['HTTPS://Example.com', 'HTTPS://Example.com'],
      ['example.com:8080/x', 'example.com:8080/x'],
      ['https://münchen.example', 'https://münchen.example'],
    ],
    refuses: [
      ['not a site', 'not a web address'],
      ['ftp://example.com', 'the scheme ftp'],
      ['javascript:alert(1)', 'not a web address'],
      ['mailto:ada@example.com', 'not a web address'],
      ['ada@example.com', 'does not belong here'],
      ['https://', 'not a web address'],
      ['-', 'not a web address'],
      ['N/A', 'not a web address'],
    ],
    same: [['www.example.com', 'www.example.com']],
    different: [['www.example.com', 'example.com']],
  },
  list: {
    reads: [
      ['gold', 'gold', { allowed: ['gold', 'silver'] }],
      ['anything', 'anything'],
    ],
    refuses: [
      ['Gold', 'it is spelled "gold"', { allowed: ['gold', 'silver'] }],
      ['lead', 'allowed are "gold", "silver"', { allowed: ['gold', 'silver'] }],
    ],
    same: [['gold', 'gold']],
    different: [['gold', 'Gold']],
  },
  date: {
    reads: [
      ['1815-12-10', '1815-12-10'],
      ['1980-03-22 00:00:00', '1980-03-22'],
      ['2005-11-22T23:39:11.000Z', '2005-11-22'],
      ['2022-12-27T00:34:39+14:00', '2022-12-27'],
      ['2022-12-27T12:00:00.000Z-0300', '2022-12-27'],
      ['2024-02-29', '2024-02-29'],
      ['07/15/2009', '2009-07-15', { formats: ['MM/dd/yyyy'] }],
      ['07/15/2009 02:14:45+0800', '2009-07-15', { formats: ['MM/dd/yyyy'] }],
      ['15.7.2009', '2009-07-15', { formats: ['MM/dd/yyyy', 'd.M.yyyy'] }],
      ['Dec 8, 2022', '2022-12-08', { formats: ['MMM d, yyyy'] }],
      ['19560511', '1956-05-11', { formats: ['yyyyMMdd'] }],
      ['2009-07-15 01:00 +08:00', '2009-07-15', { formats: ['yyyy-MM-dd HH:mm ZZ'] }],
      ['15/07/09', '2009-07-15', { formats: ['dd/MM/yy'] }],
      ['31.12.2023 14:05', '2023-12-31', { formats: ['d.M.yyyy'] }],
      ['31.12.2023, 14:05:09 Uhr', '2023-12-31', { formats: ['d.M.yyyy'] }],
      ['31.12.2023 um 14:05', '2023-12-31', { formats: ['d.M.yyyy'] }],
      ['12/31/2023, 2:05:09 PM', '2023-12-31', { formats: ['M/d/yyyy'] }],
      ['Dec 31, 2023 at 2:05 PM', '2023-12-31', { formats: ['MMM d, yyyy'] }],
      ['2023-12-31 14:05:00+01', '2023-12-31'],
      ['1719791999', '2024-06-30', { formats: ['epoch'] }],
      ['1719792000', '2024-07-01', { formats: ['epoch'] }],
      ['1719792000.25', '2024-07-01', { formats: ['epoch'] }],
      ['-1', '1969-12-31', { formats: ['epoch'] }],
      ['1719791999999', '2024-06-30', { formats: ['epochMillis'] }],
      ['2024-07-01', '2024-07-01', { formats: ['epoch', 'yyyy-MM-dd'] }],
      ['٠٥/٠٦/١٩٥٤', '1954-06-05', { formats: ['d/M/yyyy'] }],
      // Excel in Arabic puts a mark of the writing direction after each part.
      ['٥\u200f/٦\u200f/١٩٥٤ ٠٩:٣٠', '1954-06-05', { formats: ['d/M/yyyy'] }],
      ['２０２４年５月３日', '2024-05-03', { formats: ["yyyy'年'M'月'd'日'"] }],
    ],
    refuses: [
      ['2024-02-30', 'an existing day'],
      ['2023-02-29', 'an existing day'],
      ['31/02/2024', 'an existing day', { formats: ['dd/MM/yyyy'] }],
      ['01/02/24', 'written dd/MM/yyyy', { formats: ['dd/MM/yyyy'] }],
      ['0000-00-00', 'an existing day'],
      ['0000-00-00 00:00:00', 'an existing day'],
      ['12/10/1815', 'written yyyy-MM-dd'],
      ['2024-1-2', 'written yyyy-MM-dd'],
      ['yesterday', 'not a date'],
      ['1980-03-22', 'written MM/dd/yyyy', { formats: ['MM/dd/yyyy'] }],
      // Milliseconds read as seconds would be a day in a year of five digits.
      ['1719791999999', 'written epoch', { formats: ['epoch'] }],
      ['2024-07-01', 'written epoch', { formats: ['epoch'] }],
      ['1e9', 'written epochMillis', { formats: ['epochMillis'] }],
      ['1719792000', 'written yyyy-MM-dd'],
      // Most dates with Persian digits are of another calendar.
      ['۱۴۰۳-۰۲-۱۵', 'written yyyy-MM-dd'],
    ],
    same: [
      ['1815-12-10', '1815-12-10'],
      ['1815-12-10T00:00:00.000Z', '1815-12-10'],
    ],
    different: [['1815-12-11', '1815-12-10']],
  },
  time: {
    reads: [
      ['09:30', '09:30'],
      ['9:30', '09:30'],
      ['23:59:59', '23:59'],
      ['2:05 PM', '14:05', { formats: ['h:mm a'] }],
      ['1405', '14:05', { formats: ['HH:mm', 'HHmm'] }],
    ],
    refuses: [
      ['24:00', 'not a time of day'],
      ['12:60', 'not a time of day'],
      ['2:05 PM', 'expected HH:mm'],
      ['24:00', 'expected HH:mm', { formats: ['HH:mm'] }],
      ['noon', 'not a time of day'],
    ],
    same: [
      ['9:30', '09:30'],
      ['09:30:00', '09:30'],
    ],
    different: [['09:30', '21:30']],
  },
  checkbox: {
    reads: [
      ['true', true],
      ['YES', true],
      ['1', true],
      ['t', true],
      ['False', false],
      ['no', false],
      ['0', false],
      ['F', false],
      ['ja', true, { checked: ['ja'] }],
      ['no', false, { checked: ['ja'] }],
      ['no', true, { checked: ['no'] }],
      ['', false, { unchecked: ['no', ''] }],
      ['1', true, { checked: [1] }],
    ],
    refuses: [
      ['on', 'neither checked nor unchecked'],
      ['yes', 'expected one of "ja"', { checked: ['ja'] }],
      ['', 'neither checked nor unchecked'],
    ],
    same: [
      ['true', true],
      [false, false],
      ['0', false],
      ['TRUE', true],
    ],
    different: [
      ['true', false],
      ['', false],
      [null, false],
    ],
  },
};
