import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Mistake } from '../../../mapping/index.ts';
import type { LoadedExportPipeline } from '../../pipeline/export-settings.ts';
import { type Finding, wrong } from '../finding.ts';

/** Whether the folder can be made where the pipeline wants it. */
export async function destination(
  { file, export: { to } }: LoadedExportPipeline,
  mistake: (path: readonly string[], reason: string) => Mistake,
): Promise<Finding> {
  let above = dirname(to);
  for (;;) {
    const code = await troubleOf(above);
    if (code === undefined) return { verdict: 'ok', text: `to ${to}` };
    if (code !== 'ENOENT' || dirname(above) === above) {
      return wrong(file, mistake(['to'], `${above} ${words.get(code) ?? `cannot be used (${code})`}`));
    }
    above = dirname(above);
  }
}

const words: ReadonlyMap<string, string> = new Map([
  ['ENOTDIR', 'is not a folder'],
  ['EACCES', 'is not writable by this user'],
  ['EROFS', 'is on a read-only file system'],
]);

async function troubleOf(folder: string): Promise<string | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return 'ENOTDIR';
    await access(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}
