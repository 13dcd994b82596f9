import type { Outcome } from '../../model/outcome.ts';
import type { Problem } from '../../model/problem.ts';

/** An event of an import or an undo for its listener; nothing in a run depends on a listener. */
export type RunEvent =
  /** A sentence for the user. */
  | { readonly kind: 'note'; readonly text: string }
  /** The input is being read once before the first request. */
  | { readonly kind: 'inspecting'; readonly name: string }
  /** The rows begin: the input has `total` rows, and earlier sessions of this run have finished `finished` of them. */
  | {
      readonly kind: 'started';
      readonly run: string;
      readonly total: number;
      readonly finished: number;
      readonly continued: boolean;
      /** Set if nothing is sent to the workspace: the rows are planned, or rehearsed on a copy. */
      readonly only?: 'planned' | 'rehearsed';
      /** Set where the run goes through contacts and not through the rows of an input. */
      readonly of?: 'contact';
    }
  /** A row has ended. */
  | {
      readonly kind: 'row';
      readonly line: number;
      readonly key: string | null;
      readonly outcome: Outcome;
      readonly contactId: number | null;
      readonly problems: readonly Problem[];
    }
  /**
   * The number of rows in progress, the number of rows that wait for the workspace, and the concurrency that the client
   * has measured (null if it is set by the pipeline, or not measured yet).
   */
  | {
      readonly kind: 'underWay';
      readonly active: number;
      readonly waiting: number;
      readonly concurrency: number | null;
    }
  /** The run waits for the workspace until `until` (ms since 1970) at the latest. */
  | { readonly kind: 'waiting'; readonly reason: string; readonly until: number }
  /** No request reaches the workspace; the run probes it until `until` (ms since 1970) at the latest. */
  | { readonly kind: 'paused'; readonly reason: string; readonly until: number }
  | { readonly kind: 'resumed'; readonly afterSeconds: number }
  /** No new row begins; waiting for requests in flight. */
  | { readonly kind: 'stopping'; readonly reason: string };

export type RunListener = (event: RunEvent) => void;

/** An event of an export for its listener; nothing in an export depends on a listener. */
export type ExportEvent =
  | Extract<RunEvent, { kind: 'note' | 'waiting' | 'paused' | 'resumed' | 'stopping' }>
  | { readonly kind: 'begun'; readonly run: string; readonly continued: boolean; readonly full: boolean }
  /** The progress of fetching: contacts listed, contacts whose messages have been read, and messages read. */
  | { readonly kind: 'fetched'; readonly contacts: number; readonly read: number; readonly messages: number }
  /** Everything is fetched; the files are being written. */
  | { readonly kind: 'writing' }
  | { readonly kind: 'published'; readonly folder: string };

export type ExportListener = (event: ExportEvent) => void;
