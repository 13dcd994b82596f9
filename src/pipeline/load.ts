import { resolve } from 'node:path';
import { type LoadedMapping, loadMapping, type YamlLoadFunctions } from '../mapping/index.ts';
import { hint, toCommand } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';
import { loadPipelineOfKind, type PipelineFile } from './load-kind.ts';
import type { ImportSettings } from './schema.ts';
import { resolveRelativeToFile, withResolvedSeedPath } from './workspace.ts';

/** The input of an import: a registered format, an absolute path or `-`, and the format's options as written. */
export interface SourceSettings {
  readonly format: string;
  /** Null where the input is a live workspace. */
  readonly path: string | null;
  /** The name to show in place of the path. */
  readonly name?: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The name of the CRM that the keys of the rows belong to, where the pipeline names one. */
  readonly system?: string | undefined;
}

/** `import:` with its defaults: durations in ms, rates per second, paths absolute, the mapping loaded. */
export interface LoadedImportSettings extends Omit<ImportSettings, 'source' | 'mapping'> {
  readonly source: SourceSettings;
  readonly mapping: LoadedMapping;
}

/** An import pipeline, loaded from its file. */
export interface LoadedImportPipeline extends PipelineFile {
  /** The input that replaces the one of the pipeline file (`--source`): an absolute path, or `-`. */
  readonly source?: string | undefined;
  readonly import: LoadedImportSettings;
}

/**
 * Loads an import pipeline and its mapping. `named` replaces its input; `filled` fills values into both files. Throws a
 * FatalError (usage) with all mistakes of the first faulty file, each with its line, column and key; also if `named` is
 * set although the pipeline reads a workspace.
 */
export async function loadImportPipeline(
  path: string,
  named?: string,
  filled?: YamlLoadFunctions,
): Promise<LoadedImportPipeline> {
  const { document, settings, about } = await loadPipelineOfKind(path, 'import', filled);
  const beside = (other: string): string => resolveRelativeToFile(path, other);
  const { format, path: input, system, ...options } = settings.source;
  const own = inputPath(input, beside);
  if (named !== undefined && own === null) {
    throw new FatalError(
      'usage',
      `The pipeline ${path} reads a workspace: --source can replace only a file.`,
      {
        place: { file: path, key: 'import.source' },
        next: 'Set LONGSHORE_SOURCE_BASE_URL to read another workspace.',
      },
    );
  }
  const source = named === undefined || named === '-' ? named : resolve(named);
  const mapping = await loadMappingOf(beside(settings.mapping), path, filled);
  if (mapping.mapping.tags?.attach === 'extension' && settings.extensions?.attachTags === undefined) {
    const reason = `${mapping.file} attaches tags by "extension", which is not declared; add extensions: { attachTags: { method: POST, path: "/contact/{identifier}/tag", body: tags } }`;
    throw document.refusal([document.mistake(['import', 'extensions'], reason)]);
  }
  return {
    ...about,
    source,
    import: {
      ...settings,
      source: { format, path: source ?? own, options, system },
      mapping,
      workspace: withResolvedSeedPath(settings.workspace, path),
    },
  };
}

function inputPath(input: unknown, beside: (other: string) => string): string | null {
  if (typeof input !== 'string') return null;
  return input === '-' ? input : resolve(beside(input));
}

async function loadMappingOf(
  file: string,
  pipelineFile: string,
  filled?: YamlLoadFunctions,
): Promise<LoadedMapping> {
  try {
    return await loadMapping(file, filled);
  } catch (error) {
    if (!(error instanceof FatalError) || error.next !== undefined) throw error;
    throw error.with({ next: hint`Fix it, then: ${toCommand('check', pipelineFile)}` });
  }
}
