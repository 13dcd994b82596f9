import { join } from 'node:path';
import { type RunRecord, resolveRunMappingName } from '../../../journal/index.ts';
import type { CustomValue } from '../../../model/custom-field.ts';
import { formatRowLine } from '../../../model/row-place.ts';
import {
  type CsvListStyle,
  chooseCsvListStyle,
  formatCsvList,
  iteratePagesAsync,
} from '../../../report/csv-list.ts';
import { removeStaleFile, writeFileAtomically } from '../../../report/whole-file.ts';
import { computeFileSha256 } from '../../../storage/checksum.ts';
import { makeOwnerOnlyFolder } from '../../../storage/own-folder.ts';
import type { SqliteConnection } from '../../../storage/sqlite.ts';
import { readDifferencesPage, type VerificationDifference } from '../result.ts';
import type { VerificationResult } from '../verify.ts';
import { formatWrittenFieldName, type Verification } from './verification.ts';
import { renderVerificationHtml } from './verification-html.ts';

/** The columns of verification.csv. */
export const verificationCsvColumns = [
  '_sheet',
  '_line',
  '_key',
  'contactId',
  'identifier',
  'field',
  'verdict',
  'cause',
  'written',
  'found',
  'before',
] as const;

/** Returns the text of verification.csv in chunks: one line per difference. */
function verificationCsv(file: SqliteConnection, style: CsvListStyle): AsyncIterable<string> {
  const pages = iteratePagesAsync<VerificationDifference>((after, limit) =>
    readDifferencesPage(file, after, limit),
  );
  return formatCsvList(verificationCsvColumns, pages, cells, style);
}

function cells(each: VerificationDifference): readonly string[] {
  const { sheet, line, key, contact, person, kind, name, verdict, cause, want, found, was, changes } = each;
  const identifiers: unknown = JSON.parse(person ?? '[]');
  const [identifier] = Array.isArray(identifiers) ? identifiers.map(String) : [];
  const why = cause === 'normalised' ? `normalised: ${changes[0] ?? ''}` : cause;
  return [
    sheet ?? '',
    line === null ? '' : formatRowLine(line),
    key ?? '',
    contact === null ? '' : String(contact),
    identifier ?? (contact === null ? '' : `id:${contact}`),
    formatWrittenFieldName(kind, name),
    verdict,
    why,
    text(want),
    text(found),
    text(was),
  ];
}

function text(value: CustomValue | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

/** The run and workspace that the files of a verification are about, and their folder. */
export interface VerificationFilesInput {
  readonly run: RunRecord;
  readonly workspace: string;
  readonly all: boolean;
  readonly runDir: string;
  readonly requests: Readonly<Record<string, number>>;
}

/**
 * Returns the names of the files. A verification of all runs has its own names, so that it does not replace the files
 * of a verification of a single run.
 */
function namesOf(all: boolean): {
  readonly list: string;
  readonly page: string;
  readonly data: string;
} {
  return all
    ? { list: 'verification-all.csv', page: 'verification-all.html', data: 'verification-all.json' }
    : { list: 'verification.csv', page: 'verification.html', data: 'verification.json' };
}

/**
 * Writes the page, the JSON and, if there are differences, the CSV list of a verification into the folder of its run.
 */
export async function writeVerificationFiles(
  verified: VerificationResult,
  site: VerificationFilesInput,
): Promise<Verification> {
  const { runDir, all } = site;
  const names = namesOf(all);
  const list = join(runDir, names.list);
  makeOwnerOnlyFolder(runDir);
  const hasLines = verified.byField.length > 0;
  if (hasLines) await writeFileAtomically(list, verificationCsv(verified.file, chooseCsvListStyle(site.run)));
  else await removeStaleFile(list);
  const differences = hasLines ? { name: names.list, sha256: await computeFileSha256(list) } : null;
  const verification = verificationOf(verified, site, differences);
  await writeFileAtomically(join(runDir, names.page), [renderVerificationHtml(verification)]);
  await writeFileAtomically(join(runDir, names.data), [`${JSON.stringify(verification, null, 2)}\n`]);
  return verification;
}

function verificationOf(
  verified: VerificationResult,
  { run, workspace, all, runDir, requests }: VerificationFilesInput,
  differences: Verification['checksums']['differences'],
): Verification {
  const { contacts, values, byField, sample, written, unseen } = verified;
  const count = (verdict: string, cause: string) =>
    byField
      .filter((each) => each.verdict === verdict && each.cause === cause)
      .reduce((sum, each) => sum + each.n, 0);
  const causeOf = (cause: string) => count('different', cause);
  const notYet = {
    deferred: count('notYet', 'deferred'),
    tagsByFile: count('notYet', 'tagsByFile'),
    inFlight: count('notYet', 'inFlight'),
  };
  const { uncertain, ...unreadable } = unseen;
  const waiting = notYet.tagsByFile + notYet.inFlight + uncertain;
  const open = contacts.different + contacts.missing + contacts.unread + waiting;
  const names = namesOf(all);
  return {
    ...{ run: run.id, pipeline: run.pipeline, workspace, all },
    exitCode: open > 0 ? 3 : 0,
    startedAt: new Date(verified.startedAt).toISOString(),
    finishedAt: new Date(verified.finishedAt).toISOString(),
    method: { way: verified.way, why: verified.why, requests },
    sample: sample && { ...sample, sentence: sampleSentence(sample, written) },
    contacts: { written, ...contacts },
    values: { ...values, byLaterRun: verified.byLaterRun },
    causes: {
      lost: causeOf('lost'),
      normalised: causeOf('normalised'),
      edited: causeOf('edited'),
      merged: causeOf('merged'),
    },
    notYet,
    uncertain,
    cannotVerify: { ...unreadable, workspaceTags: verified.workspaceTags },
    fields: byField.map(({ kind, name, verdict, cause, n }) => ({
      field: formatWrittenFieldName(kind, name),
      verdict,
      cause,
      n,
    })),
    normalised: verified.normalised.map(({ kind, name, what, n }) => ({
      field: formatWrittenFieldName(kind, name),
      what,
      n,
    })),
    checksums: {
      input: { name: run.inputName, fingerprint: run.input },
      mapping: { name: resolveRunMappingName(run), sha256: run.mapping },
      differences,
    },
    files: {
      verification: differences === null ? null : join(runDir, names.list),
      page: join(runDir, names.page),
    },
  };
}

function sampleSentence(
  { contacts, confidence, atMost }: NonNullable<VerificationResult['sample']>,
  written: number,
): string {
  const share = (100 * atMost) / written;
  const digits = share >= 10 ? 0 : share >= 1 ? 1 : 2;
  const percent = Math.round(confidence * 100);
  const sample = `${contacts.toLocaleString('en-US')} of ${written.toLocaleString('en-US')} contacts were read back, chosen at random`;
  return `${sample}: with ${percent} % confidence at most ${ceil(share, digits)} % of the contacts (${atMost.toLocaleString('en-US')}) differ or are missing.`;
}

/** Formats a share, rounded up so that the bound holds. */
function ceil(share: number, digits: number): string {
  const unit = 10 ** digits;
  return (Math.ceil(share * unit - 1e-9) / unit).toFixed(digits);
}
