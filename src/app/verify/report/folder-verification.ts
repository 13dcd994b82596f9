import { z } from 'zod';
import { formatQuantity } from '../../../report/figures.ts';
import { alignColumns, createTerminalStyler, joinBlocks } from '../../../report/layout.ts';
import type { ExportComparison } from '../../export/compare/against-workspace.ts';
import type { RecordComparisonCounts } from '../../export/compare/compare-records.ts';
import type { FolderCheckResult } from '../folder.ts';

const count = (what: string) => z.int().min(0).describe(what);

const online = z.strictObject({
  name: z.string().describe('The name of the file.'),
  kind: z.string().describe('What is in it.'),
  counts: z
    .strictObject({
      matched: count('In the workspace as they were exported.'),
      changed: count('In the workspace with other values.'),
      gone: count('Not in the workspace any more, or not found by the filter of the export.'),
      added: z
        .int()
        .min(0)
        .nullable()
        .describe('Only in the workspace; null where the file holds only news.'),
    })
    .nullable()
    .describe('Its records; null where they were not compared.'),
  reason: z.string().nullable().describe('Why they were not, in a clause.'),
});

/** The JSON that `verify FOLDER --json` prints. */
export const folderVerificationSchema = z.strictObject({
  folder: z.string().describe('The folder of the export.'),
  run: z.string().describe('The run that made it.'),
  pipeline: z.string().describe('The name of its pipeline.'),
  finishedAt: z.string().describe('When the export was complete.'),
  exitCode: z.union([z.literal(0), z.literal(3)]).describe('3 where a file differs or is missing.'),
  files: z
    .array(
      z.strictObject({
        name: z.string().describe('The name.'),
        verdict: z
          .enum(['matched', 'different', 'missing', 'notListed'])
          .describe('notListed: the manifest does not know it.'),
        reason: z.string().nullable().describe('What is wrong, in a clause; null where nothing is.'),
      }),
    )
    .describe('Every file of the manifest, then those that it does not know.'),
  online: z
    .strictObject({
      workspace: z.string().describe('The workspace.'),
      startedAt: z.string().describe('When it was read.'),
      finishedAt: z.string().describe('When everything was read.'),
      files: z.array(online).describe('Every file of the manifest.'),
      differences: z.string().nullable().describe('The list of all differences; null where there is none.'),
    })
    .nullable()
    .describe('What the workspace has now (--online); null where it was not asked.'),
});

export type FolderVerification = z.output<typeof folderVerificationSchema>;

/** Returns the JSON of the check of an export's folder, with the comparison with its workspace, if there was one. */
export function toFolderVerification(
  { files, ...about }: FolderCheckResult,
  compared?: Comparison,
): FolderVerification {
  const isWrong = files.some(({ verdict }) => verdict === 'different' || verdict === 'missing');
  const hasChanged = (compared?.differences ?? null) !== null;
  return {
    ...about,
    exitCode: isWrong || hasChanged ? 3 : 0,
    files: files.map((file) => ({ ...file })),
    online: compared === undefined ? null : onlineOf(compared),
  };
}

/** The comparison of an export with its workspace, and the list of its differences. */
interface Comparison extends Omit<ExportComparison, 'comparison'> {
  readonly workspace: string;
  /** The path of the list of differences; null if there are none. */
  readonly differences: string | null;
}

function onlineOf({ workspace, startedAt, finishedAt, files, differences }: Comparison) {
  return {
    workspace,
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(finishedAt).toISOString(),
    files: files.map(({ name, kind, counts, reason }) => ({
      ...{ name, kind, reason },
      counts: counts && { ...counts },
    })),
    differences,
  };
}

/** Renders the check of an export's folder as text for a terminal. */
export function renderFolderVerification(
  { folder, run, finishedAt, files, online }: FolderVerification,
  { colour }: { readonly colour: boolean },
): string {
  const { bold, tone } = createTerminalStyler(colour);
  const listed = files.filter(({ verdict }) => verdict !== 'notListed');
  const wrong = listed.filter(({ verdict }) => verdict !== 'matched');
  const head =
    wrong.length === 0
      ? `Verified: ${formatQuantity(listed.length, 'file is', 'files are')} as the manifest says.`
      : `Not as the manifest says: ${wrong.length} of ${formatQuantity(listed.length, 'file')}.`;
  const words = {
    matched: 'ok',
    different: 'DIFFERENT',
    missing: 'MISSING',
    notListed: 'not in the manifest',
  };
  return joinBlocks([
    [tone(wrong.length === 0 ? 'good' : 'bad', bold(head))],
    alignColumns(files.map(({ name, verdict, reason }) => [`  ${words[verdict]}`, name, reason ?? ''])),
    [`${folder}: export ${run}, complete at ${finishedAt}.`],
    ...(online === null ? [] : onlineBlocks(online, { bold, tone })),
  ]);
}

function onlineBlocks(
  { workspace, startedAt, files, differences }: NonNullable<FolderVerification['online']>,
  { bold, tone }: Pick<ReturnType<typeof createTerminalStyler>, 'bold' | 'tone'>,
): readonly (readonly string[])[] {
  const isSame = differences === null;
  const head = isSame
    ? 'The workspace still has everything as it was exported.'
    : 'The workspace is not as it was exported any more.';
  const lines = files.map(({ name, counts, reason }) => [
    `  ${name}`,
    counts === null ? `not compared: ${reason}` : countsText(counts),
  ]);
  const list = isSame ? [] : [`Every difference: ${differences}`];
  return [
    [tone(isSame ? 'good' : 'look', bold(head))],
    alignColumns(lines),
    [`${workspace}, read from ${startedAt}.`, ...list],
  ];
}

function countsText({ matched, changed, gone, added }: RecordComparisonCounts): string {
  const parts = [
    [matched, 'as exported'],
    [changed, 'changed since'],
    [gone, 'gone'],
    [added ?? 0, 'new since'],
  ] as const;
  const shown = parts.filter(([n], index) => n > 0 || index === 0);
  return shown.map(([n, words]) => `${n.toLocaleString('en-US')} ${words}`).join(', ');
}
