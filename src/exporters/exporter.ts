import type { ZodObject, z } from 'zod';
import type { ExportKind, ExportRecord, ExportTable } from '../model/export-record.ts';

/** The folder, kinds and options of an export to write. */
export interface ExportWriteRequest {
  /** An empty folder (0700), renamed into place when everything is written. */
  readonly folder: string;
  /** The kinds in order; a kind without records also gets a file. */
  readonly tables: readonly ExportTable[];
  /** The format's own options, as parsed by its schema. */
  readonly options: unknown;
}

/** A written file with the rows of one kind; a file of several kinds is listed once for each. */
export interface WrittenExportFile {
  /** The path relative to the folder. */
  readonly name: string;
  readonly kind: ExportKind;
  readonly rows: number;
}

/** Writes the records of an export in bounded memory. */
export interface ExportWriter {
  /** Appends records of a kind; resolves when there is room for more. */
  write(kind: ExportKind, records: readonly ExportRecord[]): Promise<void>;
  /** Completes the files and makes them durable (fsync). */
  finish(): Promise<readonly WrittenExportFile[]>;
  /** Closes the incomplete files after a failure, and does not remove them. */
  abandon(): Promise<void>;
}

/** An export format. */
export interface Exporter {
  /** Its name in the YAML. */
  readonly name: string;
  /** The description of the format in the reference. */
  readonly words: ExporterWords;
  readonly options: ZodObject;
  /** True if cells that a spreadsheet would run as formulas are escaped by an apostrophe. */
  readonly guards: boolean;
  /** True if the format keeps `given` of every record, so that exports can be compacted and imported without loss. */
  readonly lossless: boolean;
  open(request: ExportWriteRequest): Promise<ExportWriter>;
  /** Yields the records of a kind in a written file, in order; only lossless formats have it. */
  read?(file: string, kind: ExportKind): AsyncIterable<Readonly<Record<string, unknown>>>;
}

interface ExporterWords {
  /** What the reference says about the files that the format writes. */
  readonly files: string;
  /** What the reference says about the content of the files. */
  readonly holds: string;
}

/**
 * The definition of a format. A format with `read`, which yields the normal form and `given` of each record, is
 * lossless.
 */
interface ExporterDefinition<S extends ZodObject> extends Pick<Exporter, 'name' | 'words' | 'read'> {
  /** A strict schema with every key described. */
  readonly options: S;
  /** Default: false. */
  readonly guards?: boolean;
  open(request: ExportWriteRequest, options: z.output<S>): Promise<ExportWriter>;
}

/**
 * Creates an exporter from its definition. Its `open` parses the options first, and rejects with a ZodError if they are
 * invalid.
 */
export function defineExporter<S extends ZodObject>(parts: ExporterDefinition<S>): Exporter {
  return {
    guards: false,
    ...parts,
    lossless: parts.read !== undefined,
    open: async (request) => await parts.open(request, parts.options.parse(request.options)),
  };
}
