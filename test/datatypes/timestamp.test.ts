import { expect, test } from 'vitest';
import { createTimestampReader, isTimestampFormat } from '../../src/datatypes/index.ts';

test.each([
  ['epoch', '1719835200', '2024-07-01 12:00'],
  ['epochMillis', '1719835200000', '2024-07-01 12:00'],
  ['iso', '2022-12-27T08:34:39+01:00', '2022-12-27 07:34'],
  ['iso', '2012-08-27 03:20:21', '2012-08-27 03:20'],
  ['iso', '2012-08-27', '2012-08-27'],
  // As SQL Server writes a datetimeoffset, and PostgreSQL a timestamptz.
  ['iso', '2024-01-02 10:00:00.0000000 +01:00', '2024-01-02 09:00'],
  ['iso', '2024-01-02 10:00:00.123+01', '2024-01-02 09:00'],
  ['iso', '2024-01-02 10:00 tomorrow', undefined],
  ['MM/dd/yyyy hh:mm a', '12/31/2023 09:05 PM', '2023-12-31 21:05'],
  ['d.M.yyyy', '3.2.2021', '2021-02-03'],
  ['d/M/yyyy HH:mm', '٣/٢/٢٠٢١ ٠٩:٠٥', '2021-02-03 09:05'],
  ['epoch', 'yesterday', undefined],
  ['iso', '2022-02-30', undefined],
])('%s: %s is %s', (format, text, read) => {
  expect(createTimestampReader(format)(text)).toBe(read);
});

test.each([
  ['epoch', true],
  ['dd/MM/yyyy HH:mm', true],
  ['HH:mm', false],
  ['DD/MM/YYYY', false],
  ['nonsense', false],
])('%s names a day: %s', (format, names) => {
  expect(isTimestampFormat(format)).toBe(names);
});
