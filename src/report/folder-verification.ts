import { z } from 'zod';
import type { VerifiedFolder } from '../runs/verify/folder.ts';
import { counted } from './figures.ts';
import { alignedLines, inBlocks, paint } from './layout.ts';

/** What `verify FOLDER --json` prints. */
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
});

export type FolderVerification = z.output<typeof folderVerificationSchema>;

/** The check of an export's folder as it is printed. */
export function folderVerification({ files, ...about }: VerifiedFolder): FolderVerification {
  const isWrong = files.some(({ verdict }) => verdict === 'different' || verdict === 'missing');
  return { ...about, exitCode: isWrong ? 3 : 0, files: files.map((file) => ({ ...file })) };
}

/** The check of an export's folder for a terminal. */
export function renderFolderVerification(
  { folder, run, finishedAt, files, exitCode }: FolderVerification,
  { colour }: { readonly colour: boolean },
): string {
  const { bold, tone } = paint(colour);
  const listed = files.filter(({ verdict }) => verdict !== 'notListed');
  const wrong = listed.filter(({ verdict }) => verdict !== 'matched');
  const head =
    exitCode === 0
      ? `Verified: ${counted(listed.length, 'file is', 'files are')} as the manifest says.`
      : `Not as the manifest says: ${wrong.length} of ${counted(listed.length, 'file')}.`;
  const words = {
    matched: 'ok',
    different: 'DIFFERENT',
    missing: 'MISSING',
    notListed: 'not in the manifest',
  };
  return inBlocks([
    [tone(exitCode === 0 ? 'good' : 'bad', bold(head))],
    alignedLines(files.map(({ name, verdict, reason }) => [`  ${words[verdict]}`, name, reason ?? ''])),
    [`${folder}: export ${run}, complete at ${finishedAt}.`],
  ]);
}
