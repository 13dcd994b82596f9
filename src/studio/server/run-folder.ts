import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { getRunById, withJournal } from '../../app/run/find-run.ts';
import { verificationSchema } from '../../app/verify/report/verification.ts';
import { formatVerdictCause } from '../../app/verify/report/verification-text.ts';
import { runFileNames } from '../../report/file-names.ts';
import { parseJson } from '../../storage/json.ts';
import type { LabelledVerification } from '../wire/history.ts';
import type { RunFile } from '../wire/run-details.ts';
import { HttpError } from './http-error.ts';
import type { ProjectPathResolver } from './project.ts';
import { readTextFile } from './yaml/yaml-file.ts';

/** Returns the files in the folder of a run, by name. */
export function listRunFolder(id: string, files: ProjectPathResolver): readonly RunFile[] {
  const folder = folderOf(id, files);
  const place = files.place(folder);
  if (!existsSync(place)) return [];
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, bytes: lstatSync(join(place, name)).size, path: `${folder}/${name}` }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the absolute path of a file in the folder of a run; throws an HttpError (404) if it is not there. */
export function findRunFile(id: string, name: string, files: ProjectPathResolver): string {
  const found = listRunFolder(id, files).find((file) => file.name === name);
  if (found !== undefined) return files.place(found.path);
  throw new HttpError(404, `Run ${id} has no file ${name}.`, { next: 'Reload the page.' });
}

/** Returns the path of the JSON file with a run's last verification, which may be missing. */
export function getVerificationPath(id: string, files: ProjectPathResolver): string {
  return files.place(`${folderOf(id, files)}/${runFileNames.verificationData}`);
}

/** Returns what was found when a run was verified last; null if it never was. */
export async function readVerification(
  id: string,
  files: ProjectPathResolver,
): Promise<LabelledVerification | null> {
  const path = getVerificationPath(id, files);
  if (!existsSync(path)) return null;
  const found = parseJson((await readTextFile(path)).text, verificationSchema, {
    file: path,
    next: 'Verify the run again.',
  });
  // The fields of the verification count the contacts that have any of these.
  const sent = new Map<string, number>(Object.entries(found.cannotVerify));
  return {
    ...found,
    fields: found.fields.map(({ field, verdict, cause, n }) => ({
      ...{ field, n: verdict === 'cannotVerify' ? (sent.get(field) ?? n) : n },
      words: formatVerdictCause(verdict, cause),
    })),
  };
}

/** Returns the folder of a run, relative to the project folder. */
function folderOf(id: string, files: ProjectPathResolver): string {
  // The id is looked up in the journal, so that an unknown one names no folder.
  const { id: run } = withJournal(files.workDir, (file) => getRunById(file, files.workDir, id));
  const folder = files.nameOfInner(join(files.workDir, 'runs', run));
  if (folder !== undefined) return folder;
  throw new HttpError(403, 'The folder of this run is not in the project folder.');
}
