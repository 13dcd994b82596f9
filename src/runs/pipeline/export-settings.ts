import type { ExportKind } from '../../model/export-record.ts';
import type { FilterCondition } from '../../workspace/index.ts';
import type { NotifySettings } from './notify.ts';

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

/** What a count must be, so that the export appears. */
export interface Expectation {
  readonly min: number | undefined;
  /** How many fewer than in the export before, at the most: a share from 0 to 1, or a number. */
  readonly dropMax: { readonly share: number } | { readonly rows: number } | undefined;
}

/** Kinds that belong to the workspace and to no contact. */
export type ObjectKind = Extract<ExportKind, 'users' | 'customFields' | 'closingNotes' | 'tags'>;

/** `export:` with its defaults: durations in milliseconds, paths absolute, filters as the interface wants them. */
export interface LoadedExport {
  readonly workspace: {
    readonly baseUrl?: string | undefined;
    readonly tokenEnv: string;
    readonly sandbox?: { readonly seed?: string | undefined } | undefined;
  };
  /** Absolute; may hold `{date}`. */
  readonly to: string;
  /** How many complete exports are kept; undefined for all. */
  readonly keep: number | undefined;
  /** An IANA zone; also the one that filters are read in. */
  readonly timezone: string;
  /** Undefined where contacts are read for their messages only. */
  readonly contacts: ContactSettings | undefined;
  readonly messages: MessageSettings | undefined;
  readonly workspaceObjects: readonly ObjectKind[];
  readonly templates: { readonly channels: readonly number[] } | undefined;
  /** How workspace objects and templates are written: as the contacts, else as the messages, else ndjson. */
  readonly objects: FormatSettings;
  readonly expect: { readonly [K in ExportKind]?: Expectation | undefined };
  /** Milliseconds; undefined for none. */
  readonly timeout: number | undefined;
  /** An unfinished export that was begun longer ago than this (milliseconds) is started over. */
  readonly continueWithin: number;
  readonly notify: NotifySettings | undefined;
  readonly limits: {
    readonly concurrency: number;
    readonly perPath: number;
    readonly attempts: number;
    readonly connect: number;
    readonly answer: number;
    readonly outage: number;
  };
}

/** A pipeline that exports, as its file says. */
export interface LoadedExportPipeline {
  /** Absolute. */
  readonly file: string;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly fingerprint: string;
  readonly pipeline: string;
  readonly export: LoadedExport;
}
