import * as z from 'zod';

/**
 * Returns the schema of the options of any registered format, discriminated by the key `format`; throws an
 * Error if there is no format.
 */
export function createFormatUnionSchema<F, S extends z.core.$ZodTypeDiscriminable>(
  formats: readonly F[],
  of: (format: F) => S,
) {
  const [first, ...others] = formats.map(of);
  if (first === undefined) throw new Error('A registry of formats is empty.');
  return z.discriminatedUnion('format', [first, ...others]);
}
