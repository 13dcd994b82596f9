import * as z from 'zod';

/** What one of several registered formats takes, told apart by its key `format`. */
export function byFormat<F, S extends z.core.$ZodTypeDiscriminable>(
  formats: readonly F[],
  of: (format: F) => S,
) {
  const [first, ...others] = formats.map(of);
  if (first === undefined) throw new Error('A registry of formats is empty.');
  return z.discriminatedUnion('format', [first, ...others]);
}
