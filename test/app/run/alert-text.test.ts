import { expect, test } from 'vitest';
import { formatAlertReason, formatRunEndAlert } from '../../../src/app/run/alert.ts';
import { toCommand } from '../../../src/model/command.ts';
import { FatalError } from '../../../src/model/fatal-error.ts';
import { toExportDiskFullError } from '../../../src/storage/room.ts';

test('an error is told without what an input says of people', () => {
  const text =
    'people.csv: the columns "ada@example.com", "+1 202-555-0143" and "b.c+d@mail.example.com" have no name (2026-11-21T02:30:00.000Z, 1234567 rows).';
  expect(formatAlertReason(new FatalError('input', text))).toBe(
    'people.csv: the columns "[e-mail]", "[phone]" and "[e-mail]" have no name (2026-11-21T02:30:00.000Z, 1234567 rows).',
  );
});

test('of an error that nobody foresaw nothing is quoted', () => {
  const error = new Error('Unexpected token in {"firstName":"Ada"');
  expect(formatAlertReason(error)).not.toContain('Ada');
  expect(formatAlertReason(new FatalError('unexpected', error.message))).not.toContain('Ada');
});

test('an error of the machine that says what to do is reported as it is', () => {
  const full = toExportDiskFullError(
    '/mnt/exports',
    new Error('ENOSPC'),
    toCommand('export', 'nightly.yaml'),
  );
  expect(formatAlertReason(full)).toBe('the disk of the exports is full.');
});

test('a long list of mistakes is cut', () => {
  expect(formatAlertReason(new FatalError('usage', 'x'.repeat(5_000)))).toHaveLength(1_001);
});

test('an export that could not read everything says whose messages, and what becomes of them', () => {
  const calm = { failures: 0, failingSince: null };
  expect(formatRunEndAlert('rejects', calm, { exitCode: 3, rows: undefined, unreadable: 2 })).toBe(
    'finished; 2 contacts could not be read completely: see the manifest; the next export reads them again.',
  );
});
