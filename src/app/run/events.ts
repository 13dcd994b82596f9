import type { Outcome } from '../../model/outcome.ts';
import type { Problem } from '../../model/problem.ts';

/** What a run tells whoever listens; nothing in a run depends on anybody listening. */
export type RunEvent =
  /** Something a person should know, in a sentence. */
  | { readonly kind: 'note'; readonly text: string }
  /** The input is being read once before the first request. */
  | { readonly kind: 'inspecting'; readonly name: string }
  /** Rows begin: `total` in the input, `finished` of them by earlier sessions of this run. */
  | {
      readonly kind: 'started';
      readonly run: string;
      readonly total: number;
      readonly finished: number;
      readonly continued: boolean;
      /** Nothing is sent: the rows are planned, or rehearsed on a copy. */
      readonly only?: 'planned' | 'rehearsed';
      /** What it goes through, where that is not the rows of an input. */
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
   * How many rows are under way, how many of them wait for the workspace to be ready for them, and how many requests at
   * once it was found to take well (null while that is not known, and where it is set).
   */
  | {
      readonly kind: 'underWay';
      readonly active: number;
      readonly waiting: number;
      readonly concurrency: number | null;
    }
  /** Nothing is heard of the workspace, or it has asked for a wait: until then (ms since 1970), unless it ends before. */
  | { readonly kind: 'waiting'; readonly reason: string; readonly until: number }
  /** Nothing gets through to the workspace; the run waits and probes until then (ms since 1970). */
  | { readonly kind: 'paused'; readonly reason: string; readonly until: number }
  | { readonly kind: 'resumed'; readonly afterSeconds: number }
  /** No new row begins; requests on the wire may finish. */
  | { readonly kind: 'stopping'; readonly reason: string };

export type Listener = (event: RunEvent) => void;

/** What an export tells whoever listens; nothing in it depends on anybody listening. */
export type ExportEvent =
  | Extract<RunEvent, { kind: 'note' | 'waiting' | 'paused' | 'resumed' | 'stopping' }>
  | { readonly kind: 'begun'; readonly run: string; readonly continued: boolean; readonly full: boolean }
  /** How far fetching is: contacts listed, those of them whose messages are read, and messages. */
  | { readonly kind: 'fetched'; readonly contacts: number; readonly read: number; readonly messages: number }
  /** Everything is fetched; the files are being written. */
  | { readonly kind: 'writing' }
  | { readonly kind: 'published'; readonly folder: string };

export type ExportListener = (event: ExportEvent) => void;
