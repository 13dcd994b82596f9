import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { parseDocument, visit } from 'yaml';
import { checkImport } from '../../../src/app/check/check.ts';
import type { Finding } from '../../../src/app/check/finding.ts';
import { formatFindings } from '../../../src/app/check/finding.ts';
import { type DraftOutput, draftFromInput } from '../../../src/app/draft/draft.ts';
import type { InputSettings } from '../../../src/app/draft/input/stated.ts';
import { type LoadedImportPipeline, loadImportPipeline } from '../../../src/pipeline/index.ts';
import { usualInvocation } from '../../invocation.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** An input in a folder of its own, and what a draft makes of it. */
export interface Drafting {
  readonly folder: string;
  readonly draft: DraftOutput;
}

const folders = new Set<() => void>();

/** Removes what the tests have written. */
export function removeFolders(): void {
  for (const remove of folders) remove();
  folders.clear();
}

/** A folder of a test's own. */
export function newFolder(): string {
  const { path, remove } = temporaryFolder();
  folders.add(remove);
  return path;
}

/** Writes an input and drafts it; a name with slashes makes folders. */
export async function drafted(
  input: string | Uint8Array | Readonly<Record<string, string | Uint8Array>>,
  name = 'contacts.csv',
  stated: InputSettings = {},
): Promise<Drafting> {
  const folder = newFolder();
  const files = typeof input === 'string' || input instanceof Uint8Array ? { [name]: input } : input;
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  return { folder, draft: await draftOf(join(folder, name), folder, stated) };
}

/** Drafts an input that is there. */
export async function draftOf(
  path: string,
  folder: string,
  stated: InputSettings = {},
): Promise<DraftOutput> {
  return await draftFromInput({
    path,
    out: folder,
    home: folder,
    spoolDir: join(folder, 'spool'),
    stated,
    signal: new AbortController().signal,
  });
}

/** What check says of the drafted files once every TODO is answered; `answers` go by a piece of the question. */
export async function checked(
  { folder, draft: made }: Drafting,
  answers: Readonly<Record<string, string>> = {},
): Promise<{ readonly pipeline: LoadedImportPipeline; readonly wrong: readonly Finding[] }> {
  for (const { file, text } of [made.mapping, made.pipeline]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, answered(text, answers));
  }
  const pipeline = await loadImportPipeline(made.pipeline.file);
  const { findings } = await checkImport({
    pipeline,
    workDir: join(folder, 'work'),
    workspace: undefined,
    signal: new AbortController().signal,
  });
  return {
    pipeline,
    wrong: formatFindings(findings, usualInvocation).filter(({ verdict }) => verdict === 'wrong'),
  };
}

const usual: Readonly<Record<string, string>> = {
  'identifies a row': 'false',
  'which country': 'US',
  'which stage': 'null',
  'the owners are': '{}',
  'which column holds the first name': 'name',
  'which column holds the last name': 'name',
  'more or fewer cells': 'pad',
  'one thousand two hundred': '","',
  'in March or in April': '[d/M/yyyy]',
  'stand for nothing': 'null',
};

/** A text whose questions are answered, and nothing else is changed. */
export function answered(text: string, answers: Readonly<Record<string, string>> = {}): string {
  const questions: { readonly question: string; readonly from: number; readonly to: number }[] = [];
  visit(parseDocument(text), {
    Scalar(position, { value, range }) {
      if (position === 'key' || typeof value !== 'string' || !value.startsWith('TODO:') || !range) return;
      questions.push({ question: value, from: range[0], to: range[1] });
    },
  });
  return questions.reduceRight((before, { question, from, to }) => {
    const found = [...Object.entries(answers), ...Object.entries(usual)].find(([piece]) =>
      question.includes(piece),
    );
    if (found === undefined) throw new Error(`No answer is given to ${question}`);
    return before.slice(0, from) + found[1] + before.slice(to);
  }, text);
}

/** The bytes of a SQLite file that these statements make. */
export function sqliteOf(statements: string): Buffer {
  const database = new Database(':memory:');
  try {
    database.exec(statements);
    return database.serialize();
  } finally {
    database.close();
  }
}
