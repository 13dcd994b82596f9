import { resolve } from 'node:path';
import { parsePlainYaml, readYamlText } from '../../mapping/index.ts';
import { isTodoPlaceholder } from '../../model/todo.ts';
import { resolveRelativeToFile } from '../../pipeline/workspace.ts';
import { sourceFormats } from '../../sources/registry.ts';
import type { PreviewInput } from './given-input.ts';

/**
 * The input and mapping that a pipeline's YAML names; its other settings are not read, and may have mistakes and
 * questions.
 */
export interface PipelineInput {
  /** Absolute path; null where none is named. */
  readonly mapping: string | null;
  /** Null if the input is not a file: a workspace, standard input, or not named yet. */
  readonly input: (Required<Pick<PreviewInput, 'as'>> & { readonly path: string }) | null;
}

/**
 * Returns the paths of the input and the mapping that a pipeline names, and how the input is read. Throws a FatalError
 * (usage) if the file cannot be read.
 */
export async function readPipelineInputSettings(file: string): Promise<PipelineInput> {
  const settings = keysOf(keysOf(written(await readYamlText(file, 'pipeline'))).get('import'));
  const mapping = settings.get('mapping');
  // `system` is not an option of the format. An option that is still a question is as if it were left out.
  const {
    format,
    path,
    system: _,
    ...options
  } = Object.fromEntries(
    [...keysOf(settings.get('source'))].filter(
      ([, value]) => typeof value !== 'string' || !isTodoPlaceholder(value),
    ),
  );
  const isFile = typeof path === 'string' && path !== '-';
  const isKnown = sourceFormats.some(({ name, live }) => name === format && live !== true);
  return {
    mapping: typeof mapping === 'string' ? resolve(resolveRelativeToFile(file, mapping)) : null,
    input:
      isFile && isKnown
        ? { path: resolve(resolveRelativeToFile(file, path)), as: { format: String(format), options } }
        : null,
  };
}

/** Returns the value of a YAML text; undefined for invalid YAML, whose mistakes `check` reports. */
function written(text: string): unknown {
  const read = parsePlainYaml(text);
  return 'value' in read ? read.value : undefined;
}

function keysOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
