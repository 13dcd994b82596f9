import { resolve } from 'node:path';
import { plainYaml, readYamlText } from '../../mapping/index.ts';
import { besideFile } from '../../pipeline/workspace.ts';
import { sourceFormats } from '../../sources/registry.ts';
import type { GivenInput } from './given-input.ts';

/** What a pipeline imports, as far as its text shows: it may still have mistakes and questions elsewhere. */
export interface PipelineInput {
  /** Absolute; null where none is named. */
  readonly mapping: string | null;
  /** Null where the input is no file: a workspace, standard input, or not named yet. */
  readonly input: (Required<Pick<GivenInput, 'as'>> & { readonly path: string }) | null;
}

/** Reads what a pipeline says of its input and its mapping. Throws a FatalError (usage) where its text cannot be had. */
export async function pipelineInput(file: string): Promise<PipelineInput> {
  const settings = keysOf(keysOf(written(await readYamlText(file, 'pipeline'))).get('import'));
  const mapping = settings.get('mapping');
  // Whose keys these are is no option of the format.
  const { format, path, system: _, ...options } = Object.fromEntries(keysOf(settings.get('source')));
  const isFile = typeof path === 'string' && path !== '-';
  const isKnown = sourceFormats.some(({ name, live }) => name === format && live !== true);
  return {
    mapping: typeof mapping === 'string' ? resolve(besideFile(file, mapping)) : null,
    input:
      isFile && isKnown
        ? { path: resolve(besideFile(file, path)), as: { format: String(format), options } }
        : null,
  };
}

/** What is not YAML names nothing, and neither does what `check` refuses to read; it says what is wrong with it. */
function written(text: string): unknown {
  const read = plainYaml(text);
  return 'value' in read ? read.value : undefined;
}

function keysOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
