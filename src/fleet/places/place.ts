import { FatalError } from '../../model/fatal-error.ts';

/** Thrown where an input does not exist. */
export class MissingInputError extends FatalError {
  constructor(path: string, next: string) {
    super('input', `there is no input ${path}.`, { place: { key: 'places.inputs' }, next });
  }
}

/** The storage of inputs. */
export interface InputStorage {
  /** Fetches an input into `folder` where it is not on this machine yet, and returns its local path. Throws InputMissing. */
  fetch(path: string, folder: string, signal: AbortSignal): Promise<string>;
}

/** The storage of result files, by paths with slashes. */
export interface FileStorage {
  /** Returns the full name of a file or folder, for messages. */
  nameOf(path: string): string;
  /** Returns the paths of all files below a folder. */
  list(folder: string): Promise<readonly string[]>;
  fetch(path: string, to: string): Promise<void>;
  /** Stores a file atomically, in place of an earlier one. */
  put(path: string, from: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** A finished export and where it is published. */
export interface Delivery {
  /** The folder in the storage, as `acme/nightly-export`. */
  readonly folder: string;
  /** Its name in that folder, as `2026-01-31`. */
  readonly name: string;
  readonly run: string;
  /** The lease token, which tells apart the files of two holders. */
  readonly token: string;
}

/** The storage of exports. An export appears whole or not at all: only its manifest makes it one. */
export interface OutputStorage {
  /** Returns the full name of an export, for messages. */
  nameOf(delivery: Pick<Delivery, 'folder' | 'name'>): string;
  /** Returns the name itself, or the first of `-2`, `-3`, … that is free. */
  freeName(folder: string, name: string): Promise<string>;
  /** Copies the files of an export without publishing it. */
  bring(delivery: Delivery, from: string): Promise<void>;
  /** Publishes the export. Throws where `settle` has been called for it. */
  publish(delivery: Delivery, from: string): Promise<void>;
  /** Returns whether an export was published; where it was not it never will be, and its files are removed. */
  settle(delivery: Delivery): Promise<boolean>;
  /** Removes older exports beyond `keep` and points `latest` at this one, where the storage can; returns messages about it. */
  tidy(delivery: Delivery, keep: number | undefined): Promise<readonly string[]>;
}
