import { type FilledFiles, type LoadedDocument, loadDocument, parseDocument } from './document/load.ts';
import { type Mapping, mappingSchema } from './schema.ts';

/** A mapping file that passed its schema, with the places of its keys and the SHA-256 of its bytes. */
export interface LoadedMapping extends LoadedDocument<Mapping> {
  readonly mapping: Mapping;
}

/** Loads a mapping; throws a FatalError (usage) that names every mistake with file, line, column and key. */
export async function loadMapping(file: string, filled?: FilledFiles): Promise<LoadedMapping> {
  const document = await loadDocument(file, mappingSchema, 'mapping', { filled });
  return { ...document, mapping: document.value };
}

/** Parses a mapping from a text, as `loadMapping` does from a file; errors name it `file`. */
export function parseMapping(text: string, file: string): LoadedMapping {
  const document = parseDocument(text, file, mappingSchema, 'mapping');
  return { ...document, mapping: document.value };
}
