import type { FilterCondition } from '../workspace/index.ts';
import type { PipelineFile } from './load-kind.ts';
import type { ExportDocument } from './schema.ts';

/** How a kind is written: a registered format, the options of that format, and the columns where they were chosen. */
export interface FormatSettings {
  readonly format: string;
  readonly options: unknown;
  /** Heading to path, as `{ Plan: customFields.Plan }`, in the order in which they were written; undefined for all. */
  readonly columns: Readonly<Record<string, string>> | undefined;
}

export interface ContactSettings extends FormatSettings {
  readonly filter: readonly FilterCondition[];
  readonly search: string | undefined;
  /** After the first export only what changed is written. */
  readonly incremental: boolean;
}

export interface MessageSettings extends FormatSettings {
  /** After the first export only messages that are new are fetched and written. */
  readonly incremental: boolean;
  /** Milliseconds back from which statuses are read again; undefined for none. */
  readonly refresh: number | undefined;
}

/** `export:` with its defaults: durations in milliseconds, paths absolute, filters as the interface wants them. */
export interface LoadedExport extends Omit<ExportDocument, 'contacts' | 'messages'> {
  /** Undefined where contacts are read for their messages only. */
  readonly contacts: ContactSettings | undefined;
  readonly messages: MessageSettings | undefined;
  /** How workspace objects and templates are written: as the contacts, else as the messages, else ndjson. */
  readonly objects: FormatSettings;
}

/** A pipeline that exports, as its file says. */
export interface LoadedExportPipeline extends PipelineFile {
  readonly export: LoadedExport;
}
