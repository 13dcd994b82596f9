import { FatalError } from '../model/fatal-error.ts';

/** The object that a JSON text of an export holds. Throws a FatalError('input') where it holds none. */
export function keptObject(text: string, file: string, line: number): Readonly<Record<string, unknown>> {
  const value = parsed(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value));
  }
  throw new FatalError(
    'input',
    `${file} was changed since it was exported: record ${line} is not a JSON object`,
    {
      place: { file, line },
      next: 'Restore the file, or make a new export.',
    },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
