import { existsSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { type FilledFiles, loadDocument } from '../mapping/index.ts';
import { command, hint } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';
import { headOf } from '../sources/plain-file.ts';
import { sourceFormats } from '../sources/registry.ts';
import { visibleNames } from '../storage/path-meant.ts';
import { pipelineSchema } from './schema.ts';

/** A pipeline file that passed its schema. */
export interface PipelineFile {
  /** Absolute. */
  readonly file: string;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly fingerprint: string;
  /** The pipeline's name. */
  readonly pipeline: string;
}

const other = {
  import: { does: 'exports; it imports nothing', kind: 'export' },
  export: { does: 'imports; it exports nothing', kind: 'import' },
} as const;

/** What is read packed. */
const archives = ['zip', 'gz', 'tgz', 'tar'];

/** What names data in place of a pipeline: what is YAML, or JSON with keys, may be a pipeline, and a folder may have some. */
async function dataAt(path: string): Promise<'data' | 'a folder' | undefined> {
  if (!existsSync(path)) return undefined;
  if (statSync(path).isDirectory())
    return visibleNames(path, 'files')?.some((name) => /\.ya?ml$/i.test(name)) === true
      ? undefined
      : 'a folder';
  const extension = extname(path).slice(1).toLowerCase();
  const isFormat = sourceFormats.some(({ extensions }) => extensions.includes(extension));
  if (!isFormat && !archives.includes(extension)) return undefined;
  if (extension !== 'json') return 'data';
  return (await headOf(path, 1_024)).toString('utf8').trimStart().startsWith('[') ? 'data' : undefined;
}

/** The YAML of a pipeline, whatever it does. */
async function loadPipelineDocument(path: string, filled?: FilledFiles) {
  const data = await dataAt(path);
  if (data !== undefined) {
    throw new FatalError('usage', `${path} is ${data}, not a pipeline: draft a pipeline for it first.`, {
      place: { file: path },
      next: [command('draft', path)],
    });
  }
  const ifMissing = hint`Check the path, or draft a pipeline: ${{ kind: 'help', command: 'draft' }}`;
  return await loadDocument(path, pipelineSchema, 'pipeline', { ifMissing, filled });
}

/** Whether a pipeline file imports or exports; throws a FatalError (usage) where it is neither. */
export async function pipelineKind(path: string, filled?: FilledFiles): Promise<'import' | 'export'> {
  const { value } = await loadPipelineDocument(path, filled);
  return value.import === undefined ? 'export' : 'import';
}

/** The document of a pipeline that imports, or of one that exports, and what of it is of that kind. */
export async function loadKind<K extends 'import' | 'export'>(path: string, kind: K, filled?: FilledFiles) {
  const document = await loadPipelineDocument(path, filled);
  const settings = document.value[kind];
  if (settings === undefined) {
    throw new FatalError('usage', `The pipeline ${path} ${other[kind].does}.`, {
      place: { file: path },
      next: [command(other[kind].kind, path)],
    });
  }
  const { fingerprint, value } = document;
  const about: PipelineFile = { file: resolve(path), fingerprint, pipeline: value.pipeline };
  return { document, settings, about };
}
