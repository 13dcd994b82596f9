import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runFileNames } from '../../../report/file-names.ts';
import { tryParseJson } from '../../../storage/json.ts';
import { verificationSchema } from './verification.ts';
import { formatVerificationHeadline } from './verification-text.ts';

const { contacts, values } = verificationSchema.shape;

/** The latest verification of a run, as its summary includes it. */
export const verificationSummarySchema = z.strictObject({
  headline: z.string(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  exitCode: verificationSchema.shape.exitCode,
  contacts,
  values,
  sample: z.string().nullable().describe('In a sentence; null where every contact was read back'),
});

export type VerificationSummary = z.output<typeof verificationSummarySchema>;

/**
 * Reads the latest verification from a run's folder; undefined if there is none since the run ended
 * (`endedAt`, ms), or if the run has not ended.
 */
export function readVerificationSummary(
  runDir: string,
  endedAt: number | null,
): VerificationSummary | undefined {
  const path = join(runDir, runFileNames.verificationData);
  // Reading a pipe would wait for its writer.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const data = tryParseJson(readFileSync(path, 'utf8'), verificationSchema);
  if (data === undefined || Date.parse(data.startedAt) < (endedAt ?? Number.POSITIVE_INFINITY))
    return undefined;
  const { startedAt, finishedAt, exitCode, sample } = data;
  return {
    headline: formatVerificationHeadline(data),
    ...{ startedAt, finishedAt, exitCode, contacts: data.contacts, values: data.values },
    sample: sample?.sentence ?? null,
  };
}
