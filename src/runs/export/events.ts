import type { RunEvent } from '../events.ts';

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
