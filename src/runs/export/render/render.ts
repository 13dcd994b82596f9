import { join } from 'node:path';
import type { WrittenFile } from '../../../exporters/exporter.ts';
import type { ManifestFile } from '../folder/manifest.ts';
import { fingerprint } from './fingerprint.ts';
import { formatNamed } from './format.ts';
import { type Staged, stagedRecords } from './staged-records.ts';
import type { TableGroup } from './tables.ts';

/** Writes everything that was fetched into an empty folder; gives what stands there. */
export async function render(
  staged: Staged,
  groups: readonly TableGroup[],
  folder: string,
  signal: AbortSignal,
): Promise<ManifestFile[]> {
  const files: ManifestFile[] = [];
  for (const group of groups) {
    const { guards } = formatNamed(group.format);
    for (const file of await renderGroup(staged, group, folder, signal)) {
      files.push({
        ...file,
        format: group.format,
        ...(await fingerprint(join(folder, file.name))),
        guarded: guards,
      });
    }
  }
  return files;
}

async function renderGroup(
  staged: Staged,
  { format, options, tables }: TableGroup,
  folder: string,
  signal: AbortSignal,
): Promise<readonly WrittenFile[]> {
  const writer = await formatNamed(format).open({ folder, tables, options });
  try {
    for (const { kind } of tables) {
      for (const records of stagedRecords(kind, staged)) {
        signal.throwIfAborted();
        await writer.write(kind, records);
      }
    }
    return await writer.finish();
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}
