import * as z from 'zod';
import { type SourceFormat, sourceFormats } from '../sources/registry.ts';
import { byFormat } from './by-format.ts';

const system = z
  .string()
  .trim()
  .min(1)
  .optional()
  .describe(
    "The CRM that the keys of the rows belong to: an import remembers keys per system. Left out: the mapping's name.",
  );

const path = z.string().min(1).describe('The input, relative to this file; - for standard input.');

function sourceOf({ name, options, live }: SourceFormat) {
  const format = z.literal(name).describe('The format of the input.');
  return z
    .strictObject({ ...options.shape, format, system, ...(live === true ? {} : { path }) })
    .superRefine((source, context) => {
      // The options' own cross-checks do not come along with their shape.
      const { format: _format, path: _path, system: _system, ...given } = source;
      for (const issue of options.safeParse(given).error?.issues ?? []) {
        context.addIssue({ code: 'custom', message: issue.message, path: [...issue.path] });
      }
    });
}

/** `source:`, with the options of its format. */
export const sourceSchema = byFormat(sourceFormats, sourceOf).describe('Where the rows come from.');
