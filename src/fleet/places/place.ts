import { FatalError } from '../../model/fatal-error.ts';

/** An input is not where it should be. */
export class MissingInputError extends FatalError {
  constructor(path: string, next: string) {
    super('input', `there is no input ${path}.`, { place: { key: 'places.inputs' }, next });
  }
}

/** Where inputs come from. */
export interface InputPlace {
  /** Makes an input available on this machine; its local path. `folder` keeps what has to be fetched. Throws an MissingInputError. */
  fetch(path: string, folder: string, signal: AbortSignal): Promise<string>;
}

/** Files of runs, by their paths in the place, with slashes. */
export interface FilePlace {
  /** Returns the name of a file or folder for people. */
  nameOf(path: string): string;
  /** Returns the paths of all files below a folder. */
  list(folder: string): Promise<readonly string[]>;
  fetch(path: string, to: string): Promise<void>;
  /** Puts a file there, whole or not at all, in place of an earlier one. */
  put(path: string, from: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** A finished export on its way to its place. */
export interface Delivery {
  /** The folder inside of the place, as `acme/nightly-export`. */
  readonly folder: string;
  /** Its own name there, as `2026-01-31`. */
  readonly name: string;
  readonly run: string;
  /** Tells apart what two holders of the workspace put there. */
  readonly token: string;
}

/** Where finished exports go. A folder appears whole or not at all: it is an export only with its manifest. */
export interface OutputPlace {
  /** Returns the name of a folder for people. */
  nameOf(delivery: Pick<Delivery, 'folder' | 'name'>): string;
  /** Returns the name itself, or the first of `-2`, `-3`, … that is free. */
  freeName(folder: string, name: string): Promise<string>;
  /** Copies the files there, without the manifest that makes them an export. */
  bring(delivery: Delivery, from: string): Promise<void>;
  /** Publishes the export. Throws where `settle` has been called for it. */
  publish(delivery: Delivery, from: string): Promise<void>;
  /** Whether it has appeared; where it has not it never will, and what is there of it is removed. */
  settle(delivery: Delivery): Promise<boolean>;
  /** Removes older exports beyond `keep` and points `latest` at this one, where the place can do that; says what it did. */
  tidy(delivery: Delivery, keep: number | undefined): Promise<readonly string[]>;
}
