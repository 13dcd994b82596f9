import type { ZodObject, z } from 'zod';
import type { ExportKind } from '../model/export-record.ts';
import type { Exporter, ExportWriter, WriteRequest } from './exporter.ts';

interface ExporterParts<S extends ZodObject> {
  /** Strict, every key described. */
  readonly options: S;
  /** Whether cells that a spreadsheet would run get an apostrophe before them; not, unless stated. */
  readonly guards?: boolean;
  open(request: WriteRequest, options: z.output<S>): Promise<ExportWriter>;
  /** Where every record can be had back: its normal form, with `given` beside it. */
  read?(file: string, kind: ExportKind): AsyncIterable<Readonly<Record<string, unknown>>>;
}

/** Ties a format's options to the function that opens it, so that it gets them checked and typed. */
export function exporter<S extends ZodObject>(
  name: string,
  { options, guards, open, read }: ExporterParts<S>,
): Exporter {
  return {
    name,
    options,
    guards: guards ?? false,
    keepsGiven: read !== undefined,
    open: async (request) => await open(request, options.parse(request.options)),
    ...(read === undefined ? {} : { read }),
  };
}
