/** Where inputs come from. */
export interface InputPlace {
  /** Makes an input available on this machine; its local path. `folder` keeps what has to be fetched. */
  fetch(path: string, folder: string, signal: AbortSignal): Promise<string>;
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

/** Where finished exports go. A folder is there whole or not at all: whoever reads takes it for one only with its manifest. */
export interface OutputPlace {
  /** What people call a folder in it. */
  nameOf(delivery: Pick<Delivery, 'folder' | 'name'>): string;
  /** The name itself, or the first of `-2`, `-3`, … that nothing stands at. */
  freeName(folder: string, name: string): Promise<string>;
  /** Brings the files there; nobody takes them for an export yet. */
  bring(delivery: Delivery, from: string): Promise<void>;
  /** Lets the export appear. Throws where `settle` has been called for it. */
  publish(delivery: Delivery, from: string): Promise<void>;
  /** Whether it has appeared; where it has not it never will, and what is there of it is removed. */
  settle(delivery: Delivery): Promise<boolean>;
  /** Removes older exports beyond `keep` and points `latest` at this one, where the place can do that; says what it did. */
  tidy(delivery: Delivery, keep: number | undefined): Promise<readonly string[]>;
}
