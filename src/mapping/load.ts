import {
  type LoadedYaml,
  loadYamlWithSchema,
  parseYamlWithSchema,
  type YamlLoadFunctions,
} from './document/load.ts';
import { type Mapping, mappingSchema } from './schema.ts';

/** A mapping file that passed its schema, with the places of its keys and a fingerprint of its content. */
export interface LoadedMapping extends LoadedYaml<Mapping> {
  readonly mapping: Mapping;
}

/** Loads a mapping; throws a FatalError (usage) that names every mistake with file, line, column and key. */
export async function loadMapping(file: string, filled?: YamlLoadFunctions): Promise<LoadedMapping> {
  const document = await loadYamlWithSchema(file, mappingSchema, 'mapping', { filled });
  return { ...document, mapping: document.value };
}

/** Parses a mapping from a text, as `loadMapping` does from a file; errors name it `file`. */
export function parseMapping(text: string, file: string): LoadedMapping {
  const document = parseYamlWithSchema(text, file, mappingSchema, 'mapping');
  return { ...document, mapping: document.value };
}
