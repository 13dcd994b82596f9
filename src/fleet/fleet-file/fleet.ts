import type { NotifySettings } from '../../pipeline/index.ts';
import type { StorageLocation } from './places-schema.ts';
import type { FleetDocument, Schedule } from './schema.ts';

/** A workspace of the fleet file. */
export interface FleetWorkspace {
  readonly name: string;
  readonly baseUrl: string;
  /** The source of its token: an environment variable, or a file. */
  readonly token: { readonly env: string } | TokenFile;
  /** The values of placeholders, by placeholder name: `name` for {name}. */
  readonly values: Readonly<Record<string, string>>;
}

/** A file that contains a workspace's token only; paths are absolute. */
export interface TokenFile {
  readonly file: string;
  /** The folder with the token files of all workspaces, if the path in the fleet file has `{workspace}`. */
  readonly shared?: string;
}

/** A pipeline that the fleet runs for a workspace. */
export interface Assignment {
  readonly workspace: string;
  /** The name under which the fleet knows the pipeline. */
  readonly pipeline: string;
  /** The pipeline file, absolute. */
  readonly file: string;
  /** The absolute paths of the files that it was loaded from: the pipeline and the mapping. */
  readonly files: readonly string[];
  /** The hash of the contents of `files` when the fleet was loaded; undefined if a file could not be read. */
  readonly contents: string | undefined;
  readonly kind: 'import' | 'export';
  /** The schedule; undefined for a pipeline that runs only on request. */
  readonly schedule: Schedule | undefined;
  readonly priority: number;
  /** The reaction to an input that was replaced while a run was unfinished. */
  readonly onChangedInput: 'delta' | 'wait' | 'fail';
  /** The time of day until which a job waits for a missing input; undefined if it does not wait. */
  readonly inputBy: TimeOfDay | undefined;
  /** The delay (ms) after which a missing success counts as late. */
  readonly lateAfter: number;
  /** The alert settings of the pipeline, or those of the fleet; undefined if neither has any. */
  readonly notify: NotifySettings | undefined;
}

/** A time of day, in a time zone. */
export interface TimeOfDay {
  /** HH:MM. */
  readonly time: string;
  readonly timezone: string;
}

/** A fleet file, validated with the pipelines of all its workspaces. */
export interface Fleet {
  readonly name: string;
  /** The absolute path of fleet.yaml. */
  readonly file: string;
  /** SHA-256 of the bytes of fleet.yaml, hexadecimal. */
  readonly fingerprint: string;
  readonly workspaces: readonly FleetWorkspace[];
  readonly assignments: readonly Assignment[];
  /** The limits of the fleet file; durations in milliseconds. */
  readonly limits: FleetDocument['limits'];
  readonly places: {
    readonly inputs: StorageLocation | undefined;
    readonly outputs: StorageLocation | undefined;
    readonly results: StorageLocation | undefined;
  };
  /** The number of runs of a pipeline whose results are kept; undefined for all. */
  readonly keepResults: number | undefined;
  readonly alerts: NotifySettings | undefined;
}
