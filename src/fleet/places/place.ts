import { FatalError } from '../../model/fatal-error.ts';

/** Thrown if an input does not exist. */
export class MissingInputError extends FatalError {
  constructor(path: string, next: string) {
    super('input', `there is no input ${path}.`, { place: { key: 'places.inputs' }, next });
  }
}

/** The storage of inputs. */
export interface InputStorage {
  /**
   * Returns the local path of an input. A shared folder returns the path of the input itself, even if it is
   * missing. A bucket downloads what has changed into `folder` and returns the path there; it throws a
   * MissingInputError for a missing input.
   */
  fetch(path: string, folder: string, signal: AbortSignal): Promise<string>;
}

/** The storage of result files; their paths have slashes on every platform. */
export interface ResultStorage {
  /** Returns the full name of a file or folder, for messages. */
  nameOf(path: string): string;
  /** Returns the paths of all files below a folder. */
  list(folder: string): Promise<readonly string[]>;
  fetch(path: string, to: string): Promise<void>;
  /** Stores a file atomically, replacing an earlier one. */
  put(path: string, from: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** A finished export and where it is published. */
export interface Delivery {
  /** The folder in the storage, for example `acme/nightly-export`. */
  readonly folder: string;
  /** The name of the export in that folder, for example `2026-01-31`. */
  readonly name: string;
  readonly run: string;
  /** The lease token, which distinguishes the files of two holders. */
  readonly token: string;
}

/** The storage of exports. An export appears complete or not at all: it exists once its manifest does. */
export interface OutputStorage {
  /** Returns the full name of an export, for messages. */
  nameOf(delivery: Pick<Delivery, 'folder' | 'name'>): string;
  /** Returns the name if it is free, otherwise the name with the first free suffix of `-2`, `-3`, …. */
  freeName(folder: string, name: string): Promise<string>;
  /** Copies the files of an export without publishing it. */
  bring(delivery: Delivery, from: string): Promise<void>;
  /**
   * Publishes the files that `bring` copied. Throws if another export has the name, or `settle` has removed the files.
   */
  publish(delivery: Delivery, from: string): Promise<void>;
  /**
   * Returns true if the export was published; otherwise prevents its publication for good and removes its
   * files.
   */
  settle(delivery: Delivery): Promise<boolean>;
  /**
   * Removes older exports beyond `keep` and points `latest` at this one, if the storage supports it; returns messages.
   */
  tidy(delivery: Delivery, keep: number | undefined): Promise<readonly string[]>;
}
