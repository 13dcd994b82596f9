import type { ZodObject, z } from 'zod';
import type { ExportKind, ExportRecord, ExportTable } from '../model/export-record.ts';

/** What a writer is asked for. */
export interface WriteRequest {
  /** An empty folder, 0700, that is renamed into place when everything is written. */
  readonly folder: string;
  /** The kinds that come, in the order in which they come; a kind without a record has its file all the same. */
  readonly tables: readonly ExportTable[];
  /** The format's own options, as its schema gave them. */
  readonly options: unknown;
}

/** A file as it was written; a file of several kinds stands there once for each of them. */
export interface WrittenFile {
  /** Relative to the folder. */
  readonly name: string;
  readonly kind: ExportKind;
  readonly rows: number;
}

/** Writes the records of one format; memory does not grow with them. */
export interface ExportWriter {
  /** Writes records of a kind behind those written before; resolves when there is room for more. */
  write(kind: ExportKind, records: readonly ExportRecord[]): Promise<void>;
  /** Completes the files and makes them durable (fsync). */
  finish(): Promise<readonly WrittenFile[]>;
  /** Lets go of everything after a failure; what was written is of no use. */
  abandon(): Promise<void>;
}

/** A format that exports are written in. */
export interface Exporter {
  /** Its name in the YAML. */
  readonly name: string;
  /** What the reference says of it. */
  readonly words: ExporterWords;
  readonly options: ZodObject;
  /** Whether cells that a spreadsheet would run get an apostrophe before them. */
  readonly guards: boolean;
  /** Whether it keeps `given` of every record, so that an export in it can be compacted and imported whole. */
  readonly lossless: boolean;
  open(request: WriteRequest): Promise<ExportWriter>;
  /** Reads back what it wrote of a kind, in its order; only where it is lossless. */
  read?(file: string, kind: ExportKind): AsyncIterable<Readonly<Record<string, unknown>>>;
}

interface ExporterWords {
  /** Which files it writes. */
  readonly files: string;
  /** What is in them. */
  readonly holds: string;
}

/** What a format says of itself: with `read` every record can be had back, its normal form with `given` beside it. */
interface ExporterDefinition<S extends ZodObject> extends Pick<Exporter, 'name' | 'words' | 'read'> {
  /** Strict, every key described. */
  readonly options: S;
  /** Not, unless set. */
  readonly guards?: boolean;
  open(request: WriteRequest, options: z.output<S>): Promise<ExportWriter>;
}

/** Ties a format's options to the function that opens it, so that it gets them checked and typed. */
export function exporter<S extends ZodObject>(parts: ExporterDefinition<S>): Exporter {
  return {
    guards: false,
    ...parts,
    lossless: parts.read !== undefined,
    open: async (request) => await parts.open(request, parts.options.parse(request.options)),
  };
}
