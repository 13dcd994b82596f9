import { existsSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { loadYamlWithSchema, type YamlLoadFunctions } from '../mapping/index.ts';
import { commandForHelp, hint, toCommand } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';
import { readFileHead } from '../sources/plain-file.ts';
import { sourceFormats } from '../sources/registry.ts';
import { listVisibleFolderEntries } from '../storage/path-meant.ts';
import { pipelineSchema } from './schema.ts';

/** A pipeline file that passed its schema. */
export interface PipelineFile {
  /** Absolute path. */
  readonly file: string;
  /** Hexadecimal SHA-256 over the bytes of the file and, if values were filled in, over the resulting content. */
  readonly fingerprint: string;
  /** The pipeline's name. */
  readonly pipeline: string;
}

const other = {
  import: { does: 'exports; it imports nothing', kind: 'export' },
  export: { does: 'imports; it exports nothing', kind: 'import' },
} as const;

/** The extensions of archives. */
const archives = ['zip', 'gz', 'tgz', 'tar'];

/**
 * Returns `data` or `a folder` for an input that was passed in place of a pipeline. Returns undefined for a path that
 * may be a pipeline: a missing file, a file without the extension of a format or an archive, JSON that is not a list, a
 * folder with YAML files.
 */
async function dataAt(path: string): Promise<'data' | 'a folder' | undefined> {
  if (!existsSync(path)) return undefined;
  if (statSync(path).isDirectory())
    return listVisibleFolderEntries(path, 'files')?.some((name) => /\.ya?ml$/i.test(name)) === true
      ? undefined
      : 'a folder';
  const extension = extname(path).slice(1).toLowerCase();
  const isFormat = sourceFormats.some(({ extensions }) => extensions.includes(extension));
  if (!isFormat && !archives.includes(extension)) return undefined;
  if (extension !== 'json') return 'data';
  return (await readFileHead(path, 1_024)).toString('utf8').trimStart().startsWith('[') ? 'data' : undefined;
}

/**
 * Loads the YAML of an import or export pipeline. Throws a FatalError (usage) for an input in place of a pipeline, and
 * for mistakes.
 */
async function loadPipelineDocument(path: string, filled?: YamlLoadFunctions) {
  const data = await dataAt(path);
  if (data !== undefined) {
    throw new FatalError('usage', `${path} is ${data}, not a pipeline: draft a pipeline for it first.`, {
      place: { file: path },
      next: [toCommand('draft', path)],
    });
  }
  const ifMissing = hint`Check the path, or draft a pipeline: ${commandForHelp('draft')}`;
  return await loadYamlWithSchema(path, pipelineSchema, 'pipeline', { ifMissing, filled });
}

/** Returns the kind of a pipeline file; throws a FatalError (usage) where it is invalid. */
export async function readPipelineKind(
  path: string,
  filled?: YamlLoadFunctions,
): Promise<'import' | 'export'> {
  const { value } = await loadPipelineDocument(path, filled);
  return value.import === undefined ? 'export' : 'import';
}

/**
 * Loads a pipeline of the given kind: its document, and its settings under `import:` or `export:`. Throws a FatalError
 * (usage) where it is of the other kind or invalid.
 */
export async function loadPipelineOfKind<K extends 'import' | 'export'>(
  path: string,
  kind: K,
  filled?: YamlLoadFunctions,
) {
  const document = await loadPipelineDocument(path, filled);
  const settings = document.value[kind];
  if (settings === undefined) {
    throw new FatalError('usage', `The pipeline ${path} ${other[kind].does}.`, {
      place: { file: path },
      next: [toCommand(other[kind].kind, path)],
    });
  }
  const { fingerprint, value } = document;
  const about: PipelineFile = { file: resolve(path), fingerprint, pipeline: value.pipeline };
  return { document, settings, about };
}
