import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { getProblemConsequence } from '../../app/import/report/problem-digest.ts';
import { getNamedRun, withJournal } from '../../app/run/find-run.ts';
import { createStatusContext, readDeferredSteps, readRunStatus } from '../../app/status/look-at-run.ts';
import { verificationSchema } from '../../app/verify/report/verification.ts';
import { formatVerdictCause, formatVerificationHeadline } from '../../app/verify/report/verification-text.ts';
import {
  type JournalDatabase,
  listPendingDeferredSteps,
  listRowsWithProblemCode,
  listRunRows,
  type RunRecord,
  readStoredCells,
} from '../../journal/index.ts';
import { runFileNames } from '../../report/file-names.ts';
import { parseJson } from '../../storage/json.ts';
import type { LabelledVerification } from '../wire/history.ts';
import type { RouteRequest } from '../wire/routes.ts';
import type {
  RowProblemEntry,
  RowProblemsPage,
  RunFile,
  RunNextStep,
  RunRowsPage,
} from '../wire/run-details.ts';
import { HttpError } from './http-error.ts';
import type { ProjectPathResolver } from './project.ts';
import type { StudioContext } from './studio.ts';
import { parseStudioCommandLine } from './typed-command.ts';
import { readTextFile } from './yaml/yaml-file.ts';

/** Returns the next steps after a run, as `status` lists them. */
export async function readNextSteps(
  id: string,
  { files, invocation }: StudioContext,
): Promise<readonly RunNextStep[]> {
  const { workDir } = files;
  const deferred = await readDeferredSteps(withJournal(workDir, (file) => getNamedRun(file, workDir, id)));
  return withJournal(workDir, (file) => {
    const run = getNamedRun(file, workDir, id);
    const { next } = readRunStatus(file, run, {
      ...createStatusContext(file, workDir, run, invocation),
      deferred: listPendingDeferredSteps({ file, run }, deferred),
    });
    return next.map(({ why, command }) => ({
      ...{ why, line: command },
      command: command === null ? null : (parseStudioCommandLine(command, invocation.program, files) ?? null),
    }));
  });
}

/** The number of rows in a page. */
const pageSize = 100;

/** Returns a page of the rows with a problem of this code and consequence. */
export function readProblemRows(
  workDir: string,
  { run: id, consequence, code, after = '-1' }: RouteRequest<'problemRows'>,
): RowProblemsPage {
  return withJournal(workDir, (file) => {
    const run = getNamedRun(file, workDir, id);
    const found = listRowsWithProblemCode(file, run.number, code, Number(after), pageSize);
    const last = found.at(-1);
    return {
      rows: found
        .filter(({ outcome }) => getProblemConsequence(outcome, code) === consequence)
        .flatMap((row) =>
          row.problems
            .filter((problem) => problem.code === code)
            .map(({ column, reason }): RowProblemEntry => {
              const { seq, line, key } = row;
              return { seq, line, key, column, cell: cellOf(file, run, seq, column), reason };
            }),
        ),
      next: last === undefined || found.length < pageSize ? null : String(last.seq),
    };
  });
}

/** Returns a page of the rows that have an outcome, or one of them. */
export function readRunRows(
  workDir: string,
  { run: id, outcome, after = '-1' }: RouteRequest<'runRows'>,
): RunRowsPage {
  return withJournal(workDir, (file) => {
    const run = getNamedRun(file, workDir, id);
    const found = listRunRows(file, run, { outcome: outcome ?? null, after: Number(after), limit: pageSize });
    return {
      rows: found.map(({ seq, line, key, contact, identifier, outcome, problems }) => ({
        ...{ seq, line, key, contact, outcome },
        identifier: identifier?.replace(/^(?:email|phone):/, '') ?? null,
        reasons: problems.map(({ reason }) => reason),
      })),
      next: found.length < pageSize ? null : String(found.at(-1)?.seq),
    };
  });
}

function cellOf(file: JournalDatabase, run: RunRecord, seq: number, column: string | null): string | null {
  if (column === null) return null;
  return readStoredCells(file, run.number, seq)?.find(([name]) => name === column)?.[1] ?? null;
}

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

/** Returns the path of the last verification of a run. */
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
  return {
    ...found,
    headline: formatVerificationHeadline(found),
    fields: found.fields.map(({ field, verdict, cause, n }) => ({
      ...{ field, n },
      words: formatVerdictCause(verdict, cause),
    })),
  };
}

/** Returns the folder of a run, relative to the project folder. */
function folderOf(id: string, files: ProjectPathResolver): string {
  // The id is looked up in the journal, so that an unknown one names no folder.
  const { id: run } = withJournal(files.workDir, (file) => getNamedRun(file, files.workDir, id));
  const folder = files.nameOfInner(join(files.workDir, 'runs', run));
  if (folder !== undefined) return folder;
  throw new HttpError(403, 'The folder of this run is not in the project folder.');
}
