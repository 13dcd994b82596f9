import type { FilterCondition } from '../workspace/index.ts';
import type { PipelineFile } from './load-kind.ts';
import type { ExportSettings } from './schema.ts';

/** The output settings of one kind of objects: a registered format, its options, and the chosen columns. */
export interface ExportFormatSettings {
  readonly format: string;
  readonly options: unknown;
  /**
   * Paths by column heading, such as `{ Plan: customFields.Plan }`, in the order of the file; undefined for all
   * columns.
   */
  readonly columns: Readonly<Record<string, string>> | undefined;
}

/** The settings of the contacts of an export. */
export interface ContactExportSettings extends ExportFormatSettings {
  readonly filter: readonly FilterCondition[];
  readonly search: string | undefined;
  /** True if only changes are written after the first export. */
  readonly incremental: boolean;
}

/** The settings of the messages of an export. */
export interface MessageExportSettings extends ExportFormatSettings {
  /** True if only new messages are read and written after the first export. */
  readonly incremental: boolean;
  /** The age in ms up to which the statuses of messages are read again; undefined for none. */
  readonly refresh: number | undefined;
}

/** `export:` with its defaults: durations in ms, paths absolute, filters in the form of the API. */
export interface LoadedExportSettings extends Omit<ExportSettings, 'contacts' | 'messages'> {
  /** Undefined where contacts are read only for their messages. */
  readonly contacts: ContactExportSettings | undefined;
  readonly messages: MessageExportSettings | undefined;
  /** The format of workspace objects and templates: that of the contacts, else that of the messages, else ndjson. */
  readonly objects: ExportFormatSettings;
}

/** An export pipeline, loaded from its file. */
export interface LoadedExportPipeline extends PipelineFile {
  readonly export: LoadedExportSettings;
}
