import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { findCompletions } from './offers.ts';
import { findYamlCursor } from './yaml-place.ts';

/** Returns a completion source for the keys and values of a JSON Schema and the columns of the input. */
export function createSchemaCompletionSource(
  schema: object,
  columns: () => readonly string[],
): (context: CompletionContext) => CompletionResult | null {
  return ({ state, pos, explicit }) => {
    const place = findYamlCursor(state.doc.sliceString(0, pos));
    if (place.typed === '' && !explicit) return null;
    const offers = findCompletions(schema, place, columns());
    if (offers.length === 0) return null;
    const options = offers.map(({ label, insert, about }) => ({
      ...{ label, apply: insert, type: place.is === 'key' ? 'property' : 'enum' },
      ...(about !== undefined && { info: about }),
    }));
    return { from: pos - place.typed.length, options, validFor: /^[\w -]*$/ };
  };
}
