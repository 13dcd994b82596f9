import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { formatQuestionId, formatSamePersonCsv } from '../../app/import/report/lists.ts';
import {
  formatRejectsCsv,
  readInputColumnsOfRejects,
  readRejectedRowsPage,
  rejectsCsvExtraColumns,
} from '../../app/import/report/rejects-csv.ts';
import { formatUncertainCsv, readUncertainCommentsPage } from '../../app/import/report/uncertain-csv.ts';
import { getRunById, withJournalAsync } from '../../app/run/find-run.ts';
import { readPipelineNextSteps } from '../../app/status/look-at-run.ts';
import {
  type ComparedPerson,
  findInputLine,
  type JournalDatabase,
  listOpenQuestions,
  listSettledRows,
  type QuestionRecord,
  type RunRecord,
} from '../../journal/index.ts';
import { writeFileAtomically } from '../../report/whole-file.ts';
import { parseJson } from '../../storage/json.ts';
import type {
  CellCorrections,
  CheckedRow,
  ComparedSide,
  RejectedRowsPage,
  SamePersonAnswers,
  SamePersonQuestion,
  SamePersonQuestionList,
  SavedCsvFile,
  UncertainCommentAnswers,
  UncertainCommentEntry,
  UncertainCommentList,
} from '../wire/decisions.ts';
import {
  resendAnswersSchema as answersSchema,
  cellCorrectionsSchema as correctionsSchema,
  samePersonAnswersSchema,
} from '../wire/schemas/decisions.ts';
import { carryCorrections, findRejectedRow } from './carried-corrections.ts';
import { HttpError } from './http-error.ts';
import type { ProjectPathResolver } from './project.ts';
import { createTurns } from './turns.ts';
import type { YamlWorker } from './yaml/yaml-work.ts';

/** The number of rejected and failed rows in a page, and the maximum number of comments and of questions to show. */
const [pageSize, mostComments, mostQuestions] = [200, 500, 500];

/**
 * The names of files in the run's folder, without extension: `.json` has the user's corrections or answers, `.csv` is
 * the list for `retry` or `import --approve`.
 */
const corrected = 'corrected-rejects';
const decided = 'decided-comments';
const answered = 'answered-same-person';

/**
 * Returns a page of the rejected and failed rows of a run that no retry has settled, with the saved corrections of such
 * rows.
 */
export async function readRejectedRows(
  files: ProjectPathResolver,
  id: string,
  after: string | undefined,
): Promise<RejectedRowsPage> {
  return await ofRun(files, id, async (file, run) => {
    const rows = readRejectedRowsPage(file, run, after === undefined ? undefined : Number(after), pageSize);
    const last = rows.at(-1);
    const settled = new Set(listSettledRows(file, run.number));
    const savedOf = (of: RunRecord) => kept(files, of, corrected, correctionsSchema);
    const carried = carryCorrections(file, run, savedOf);
    const saved = savedOf(run);
    const corrections = Object.entries(saved ?? carried.corrections).filter(
      ([seq]) => !settled.has(Number(seq)),
    );
    return {
      columns: after === undefined ? await readInputColumnsOfRejects(file, run) : [],
      rows: rows
        .filter(({ seq }) => !settled.has(seq))
        .map((row) => ({ ...row, line: findInputLine(file, run, row) })),
      next: last === undefined || rows.length < pageSize ? null : String(last.seq),
      corrections: Object.fromEntries(corrections),
      carried: saved === undefined ? corrections.length : 0,
      lost: after === undefined ? carried.lost : [],
      list: listOf(files, run, corrected),
      canCorrect: (await readPipelineNextSteps(run)).canCorrectRejects,
    };
  });
}

/** Saves corrected cells, and writes the list for `retry --from`. */
export async function saveCellCorrections(
  files: ProjectPathResolver,
  id: string,
  corrections: CellCorrections,
): Promise<SavedCsvFile> {
  return await ofRun(files, id, async (file, run) => {
    const cells = new Map(Object.entries(corrections).map(([seq, of]) => [Number(seq), of]));
    return await write(files, run, corrected, corrections, formatRejectsCsv(file, run, cells));
  });
}

/** Returns what a retry would find wrong with rows of a run after their correction. */
export async function checkCellCorrections(
  files: ProjectPathResolver,
  yaml: YamlWorker,
  id: string,
  corrections: CellCorrections,
): Promise<readonly CheckedRow[]> {
  return await ofRun(files, id, async (file, run) => {
    const rows = Object.entries(corrections).flatMap(([seq, cells]) => {
      const row = findRejectedRow(file, run, Number(seq));
      if (row === undefined) return [];
      const own = (row.cells ?? []).filter(([column]) => !rejectsCsvExtraColumns.includes(column));
      const codes = row.problems.map(({ code }) => code);
      return [{ seq: row.seq, line: row.line, cells: own, codes, corrected: cells }];
    });
    return rows.length === 0 ? [] : await yaml.run('checkCorrections', { file: run.file, rows });
  });
}

/** Returns the first 500 uncertain comments of a run, with the saved answers. */
export async function readUncertainComments(
  files: ProjectPathResolver,
  id: string,
): Promise<UncertainCommentList> {
  return await ofRun(files, id, async (file, run) => {
    const found = readUncertainCommentsPage(file, run, undefined, mostComments + 1);
    return {
      comments: found.slice(0, mostComments).map(({ at: _, ...comment }): UncertainCommentEntry => comment),
      more: found.length > mostComments,
      answers: kept(files, run, decided, answersSchema) ?? {},
      list: listOf(files, run, decided),
    };
  });
}

/** Saves answers about the comments, and writes the list for `retry --decided`. */
export async function saveResendAnswers(
  files: ProjectPathResolver,
  id: string,
  answers: UncertainCommentAnswers,
): Promise<SavedCsvFile> {
  return await ofRun(files, id, async (file, run) => {
    const text = formatUncertainCsv(file, run, new Map(Object.entries(answers)));
    return await write(files, run, decided, answers, text);
  });
}

/** Returns the first 500 open questions of a run about people who may be the same, with the saved answers. */
export async function readSamePersonQuestions(
  files: ProjectPathResolver,
  id: string,
): Promise<Omit<SamePersonQuestionList, 'command'> & { readonly run: RunRecord; readonly file: string }> {
  return await ofRun(files, id, async (file, run) => {
    const found = listOpenQuestions(file, run.number, { seq: -1, n: -1 }, mostQuestions + 1);
    const answers = kept(files, run, answered, samePersonAnswersSchema) ?? {};
    const questions = found.slice(0, mostQuestions).map(
      (question): SamePersonQuestion => ({
        id: formatQuestionId(question),
        evidence: question.evidence,
        sides: [toComparedSide(question, question.row), toComparedSide(question.other, question.otherSide)],
      }),
    );
    const shown = new Set(questions.map(({ id }) => id));
    return {
      run,
      file: placeOf(files, run, `${answered}.csv`),
      questions,
      more: found.length > mostQuestions,
      answers: Object.fromEntries(Object.entries(answers).filter(([id]) => shown.has(id))),
    };
  });
}

function toComparedSide(of: QuestionRecord | QuestionRecord['other'], person: ComparedPerson): ComparedSide {
  return 'id' in of
    ? { ...person, contact: of.id, line: null, sheet: null, key: null }
    : { ...person, contact: null, line: of.line, sheet: of.sheet ?? null, key: of.key };
}

/** Saves answers about people who may be the same, and writes the list for `import --approve`. */
export async function saveSamePersonAnswers(
  files: ProjectPathResolver,
  id: string,
  answers: SamePersonAnswers,
): Promise<SavedCsvFile> {
  return await ofRun(files, id, async (file, run) => {
    const text = formatSamePersonCsv(file, run, new Map(Object.entries(answers)));
    return await write(files, run, answered, answers, text);
  });
}

async function ofRun<T>(
  { workDir }: ProjectPathResolver,
  id: string,
  look: (file: JournalDatabase, run: RunRecord) => Promise<T>,
): Promise<T> {
  return await withJournalAsync(workDir, (file) => look(file, getRunById(file, workDir, id)));
}

function placeOf(files: ProjectPathResolver, { id }: RunRecord, name: string): string {
  const path = files.nameOfInner(join(files.workDir, 'runs', id, name));
  if (path === undefined) throw new HttpError(403, 'The folder of this run is not in the project folder.');
  return path;
}

function kept<T>(
  files: ProjectPathResolver,
  run: RunRecord,
  name: string,
  schema: z.ZodType<T>,
): T | undefined {
  const path = files.place(placeOf(files, run, `${name}.json`));
  if (!existsSync(path)) return undefined;
  return parseJson(readFileSync(path, 'utf8'), schema, {
    file: path,
    next: 'Move this file away: the decisions start over without it.',
  });
}

function listOf(files: ProjectPathResolver, run: RunRecord, name: string): string | null {
  const path = placeOf(files, run, `${name}.csv`);
  return existsSync(files.place(path)) ? path : null;
}

// Two saves at once would write the same temporary file, and could leave the list of one with the answers of the other.
const inTurn = createTurns();

async function write(
  files: ProjectPathResolver,
  run: RunRecord,
  name: string,
  typed: CellCorrections | UncertainCommentAnswers | SamePersonAnswers,
  list: AsyncIterable<string>,
): Promise<SavedCsvFile> {
  const path = placeOf(files, run, `${name}.csv`);
  return await inTurn(async () => {
    await writeFileAtomically(files.place(path), list);
    await writeFileAtomically(files.place(placeOf(files, run, `${name}.json`)), [JSON.stringify(typed)]);
    return { path };
  });
}
