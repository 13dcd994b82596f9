import type { NotifySettings } from '../../pipeline/index.ts';
import type { FleetPlace } from './places-schema.ts';
import type { FleetDocument, Schedule } from './schema.ts';

/** A workspace of the fleet, as its file says. */
export interface FleetWorkspace {
  readonly name: string;
  readonly baseUrl: string;
  /** Where its token is: in an environment variable, or in a file of an absolute path. */
  readonly token: { readonly env: string } | TokenFile;
  /** The values of placeholders, such as {name}. */
  readonly values: Readonly<Record<string, string>>;
}

/** A file with the token of a workspace alone; absolute paths. */
export interface TokenFile {
  readonly file: string;
  /** The folder that has those of all workspaces, where the path of the file has `{workspace}`. */
  readonly shared?: string;
}

/** A pipeline for a workspace. */
export interface Assignment {
  readonly workspace: string;
  /** The name under which the fleet knows the pipeline. */
  readonly pipeline: string;
  /** The pipeline file, absolute. */
  readonly file: string;
  /** The files that it was loaded from for this workspace: its own, and that of its mapping, absolute. */
  readonly files: readonly string[];
  /** Of their contents when they were loaded (`hashContents`). */
  readonly contents: string | undefined;
  readonly kind: 'import' | 'export';
  /** Undefined for one that runs only when it is asked for. */
  readonly schedule: Schedule | undefined;
  readonly priority: number;
  /** How an unfinished run whose input was replaced is continued. */
  readonly onChangedInput: 'delta' | 'wait' | 'fail';
  /** By which time of the day its input has to be there; undefined where that is not waited for. */
  readonly inputBy: TimeOfDay | undefined;
  /** For how long a success may be owed before it counts as late (ms). */
  readonly lateAfter: number;
}

/** A time of the day. */
export interface TimeOfDay {
  /** HH:MM. */
  readonly time: string;
  readonly timezone: string;
}

/** A fleet file, checked with all pipelines for all their workspaces. */
export interface Fleet {
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  /** SHA-256 of the bytes of fleet.yaml, hexadecimal. */
  readonly fingerprint: string;
  readonly workspaces: readonly FleetWorkspace[];
  readonly assignments: readonly Assignment[];
  /** Durations in milliseconds. */
  readonly limits: FleetDocument['limits'];
  readonly places: {
    readonly inputs: FleetPlace | undefined;
    readonly outputs: FleetPlace | undefined;
    readonly results: FleetPlace | undefined;
  };
  /** How many runs of a pipeline keep their results; undefined for all. */
  readonly keepResults: number | undefined;
  readonly alerts: NotifySettings | undefined;
}
