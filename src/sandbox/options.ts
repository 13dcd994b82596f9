import type { FaultRule } from './faults.ts';
import type { RateWindow } from './rate-limit.ts';
import type { RequestLogEntry } from './request-log.ts';
import type { Seed } from './seed/seed.ts';

/** The clock of a sandbox, passed in so that a test can control it. */
export interface SandboxClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`; only latency waits on it. Default: a real timer. */
  sleep?(ms: number): Promise<void>;
}

export const defaultSandboxClock: Required<SandboxClock> = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** `received`: wholly read, nothing done · `applied`: the change is committed, no answer left · `answered`: it left. */
export type RequestPhase = 'received' | 'applied' | 'answered';

/** Every switch of the sandbox; all of them can be left out. */
export interface SandboxSettings {
  /** Default 0: a free one. */
  readonly port: number;
  /** Address to listen on. Default 127.0.0.1, which no other machine reaches. */
  readonly host: string;
  /** Names, without a port, that requests may come in under besides its address and those of this machine. Default none. */
  readonly allowedHosts: readonly string[];
  /** Listens on a Unix socket in a folder of its owner's, and on no port, where the system has such sockets. Default false. */
  readonly socket: boolean;
  /** Where the socket's folder is made, if that leaves its address short enough. Default: the folder for temporary files. */
  readonly socketFolder: string | undefined;
  /** Database file, created 0600. Default: in memory. */
  readonly file: string | undefined;
  /** The workspace at the start: an object, or the path of a .json or .csv file; a file-backed sandbox takes it once. Default: users and closing notes, no contacts. */
  readonly seed: Seed | string | undefined;
  /** Accepted access tokens. Default `['sandbox']`. */
  readonly tokens: readonly string[];
  /** Path patterns (`*` for anything) that are answered with 403. Default none. */
  readonly forbidden: readonly string[];
  /** Milliseconds until a new contact can be seen. Default 0. */
  readonly processingMs: number;
  /** The answer on a contact still in processing: 404 for every request, or 449 where the specification's table lists it. Default 449. */
  readonly processingAnswer: 404 | 449;
  /** A create whose path names an existing contact: 400, or a second contact. Default `refuse`. */
  readonly existing: 'refuse' | 'duplicate';
  /** `custom_fields` of an update: the whole list, or changes laid over it. Default `replace`. */
  readonly customFieldArrays: 'replace' | 'merge';
  /** An empty value of an update: clears the field, or is not looked at; the specification does not say. Default `clear`. */
  readonly emptyValues: 'clear' | 'ignore';
  /** Largest page of the contact list: the specification says 100 and "below 100". Default 100. */
  readonly listLimit: 99 | 100;
  /** The value of `next` and `previous` where there is no such page. Default `empty`, that is `""`. */
  readonly lastNext: 'empty' | 'null' | 'absent';
  /** Order of the message list. Default `newest` first. */
  readonly messageOrder: 'newest' | 'oldest';
  /** The answer for a resource that is not there where the specification's table lists no 404. Default 404, the general rule. */
  readonly absentUndocumented: 400 | 404;
  /** Refuses what published clients send although the specification does not have it. Default false. */
  readonly strict: boolean;
  /** Custom field values of a contact that is read: all as text, or numbers and checkboxes as such. Default `text`, as the schema says. */
  readonly customFieldValues: 'text' | 'typed';
  /** The answer on a contact in processing where the specification's table lists no 449: as if it were not there, or 449 all the same. Default `absent`. */
  readonly processingUndocumented: 'absent' | 'queued';
  /** Body properties that the specification does not name. Default `refuse`, with 400. */
  readonly unknownProperties: 'refuse' | 'ignore';
  /** Status of a create; the specification does not say. Default 201. */
  readonly createdStatus: 200 | 201;
  /** Conversation status of a new contact. Default `open`. */
  readonly newStatus: 'open' | 'closed';
  /** Status of a tag created or renamed to a name that is there; the specification does not say. Default 400. */
  readonly duplicateTag: 400 | 409;
  /** Requests a second for each method and path. Default 5. */
  readonly rate: number | 'off';
  /** How that second is counted. Default `sliding`. */
  readonly window: RateWindow;
  /** Faults at random. Default none. */
  readonly faults: FaultRule | readonly FaultRule[];
  /** Decides which requests meet the faults. Default 1. */
  readonly randomSeed: number;
  /** Default: the machine's. */
  readonly clock: SandboxClock;
  /** Called at each phase of each request; processing waits for it. Default none. */
  readonly onPhase: ((phase: RequestPhase, request: RequestLogEntry) => void | Promise<void>) | undefined;
  /** Called with each finished request. Default none. */
  readonly onRequest: ((entry: RequestLogEntry) => void) | undefined;
  /** Requests the log remembers. Default 10,000. */
  readonly logSize: number;
  /** Whether the log keeps bodies. Default false. */
  readonly logBodies: boolean;
  /** Whether a 400 says in its message what is wrong; otherwise only the log does. Default false. */
  readonly explain: boolean;
  /** Operations outside the specification. Default none. */
  readonly extensions: { readonly attachTags?: boolean | undefined };
}

export type SandboxOptions = { readonly [K in keyof SandboxSettings]?: SandboxSettings[K] | undefined };

const defaults: SandboxSettings = {
  port: 0,
  host: '127.0.0.1',
  allowedHosts: [],
  socket: false,
  socketFolder: undefined,
  file: undefined,
  seed: undefined,
  tokens: ['sandbox'],
  forbidden: [],
  processingMs: 0,
  processingAnswer: 449,
  existing: 'refuse',
  customFieldArrays: 'replace',
  emptyValues: 'clear',
  listLimit: 100,
  lastNext: 'empty',
  messageOrder: 'newest',
  absentUndocumented: 404,
  strict: false,
  customFieldValues: 'text',
  processingUndocumented: 'absent',
  unknownProperties: 'refuse',
  createdStatus: 201,
  newStatus: 'open',
  duplicateTag: 400,
  rate: 5,
  window: 'sliding',
  faults: [],
  randomSeed: 1,
  clock: defaultSandboxClock,
  onPhase: undefined,
  onRequest: undefined,
  logSize: 10_000,
  logBodies: false,
  explain: false,
  extensions: {},
};

export function toSandboxSettings(options: SandboxOptions): SandboxSettings {
  // A caller may hand in more than switches, a token among it, and GET /sandbox shows them all.
  const given = Object.entries(options).filter(([name, value]) => value !== undefined && name in defaults);
  return { ...defaults, ...Object.fromEntries(given) };
}
