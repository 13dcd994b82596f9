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

/**
 * `received`: read completely, nothing done yet · `applied`: its change is committed, not answered yet ·
 * `answered`: finished, even if the connection was dropped without an answer.
 */
export type RequestPhase = 'received' | 'applied' | 'answered';

/** The settings of a sandbox; `SandboxOptions` may leave out any of them. */
export interface SandboxSettings {
  /** Port to listen on. Default 0: any free one. */
  readonly port: number;
  /** Address to listen on. Default 127.0.0.1, which no other machine reaches. */
  readonly host: string;
  /**
   * Host names (without a port) that requests may use besides `host` and the names of this machine. Default
   * none.
   */
  readonly allowedHosts: readonly string[];
  /** Listens on a Unix socket in an owner-only folder instead of a port, except on Windows. Default false. */
  readonly socket: boolean;
  /**
   * Parent of the socket's folder; not used if its path is too long for a socket. Default: the temporary
   * folder.
   */
  readonly socketFolder: string | undefined;
  /** Database file, created 0600. Default: in memory. */
  readonly file: string | undefined;
  /**
   * The workspace at the start: an object, or the path of a .json or .csv file; a file-backed sandbox loads
   * it only once. Default: users and closing notes, no contacts.
   */
  readonly seed: Seed | string | undefined;
  /** Accepted access tokens. Default `['sandbox']`. */
  readonly tokens: readonly string[];
  /** Path patterns (`*` for anything) that are answered with 403. Default none. */
  readonly forbidden: readonly string[];
  /** The time (ms) until a new contact becomes visible. Default 0. */
  readonly processingMs: number;
  /**
   * The answer for a contact still in processing: 404 for every request, or 449 where the specification's
   * table lists it. Default 449.
   */
  readonly processingAnswer: 404 | 449;
  /**
   * The effect of a create whose path names an existing contact: a 400, or a second contact. Default
   * `refuse`.
   */
  readonly existing: 'refuse' | 'duplicate';
  /**
   * Whether `custom_fields` of an update replaces all values, or only those that it names. Default `replace`.
   */
  readonly customFieldArrays: 'replace' | 'merge';
  /**
   * Whether an empty value of an update clears the field or is ignored; the specification leaves it open.
   * Default `clear`.
   */
  readonly emptyValues: 'clear' | 'ignore';
  /** Largest page of the contact list: the specification says 100 and "below 100". Default 100. */
  readonly listLimit: 99 | 100;
  /** The value of `next` and `previous` where there is no such page. Default `empty`, that is `""`. */
  readonly lastNext: 'empty' | 'null' | 'absent';
  /** Order of the message list. Default `newest` first. */
  readonly messageOrder: 'newest' | 'oldest';
  /**
   * The answer for a missing resource where the specification's table lists no 404. Default 404, the general
   * rule.
   */
  readonly absentUndocumented: 400 | 404;
  /** Refuses what published clients send although the specification does not have it. Default false. */
  readonly strict: boolean;
  /**
   * Custom field values in answers: all as text, or numbers and checkboxes typed. Default `text`, as the
   * schema says.
   */
  readonly customFieldValues: 'text' | 'typed';
  /**
   * The answer for a contact in processing where the specification's table lists no 449: that for a missing contact
   * (`absent`), or 449 nevertheless (`queued`). Default `absent`.
   */
  readonly processingUndocumented: 'absent' | 'queued';
  /** The effect of body properties that the specification does not name. Default `refuse`, with 400. */
  readonly unknownProperties: 'refuse' | 'ignore';
  /** Status of a create; the specification does not say. Default 201. */
  readonly createdStatus: 200 | 201;
  /** Conversation status of a new contact. Default `open`. */
  readonly newStatus: 'open' | 'closed';
  /**
   * Status of a create or rename of a tag to a name in use; the specification leaves it open. Default 400.
   */
  readonly duplicateTag: 400 | 409;
  /** Requests a second for each method and path. Default 5. */
  readonly rate: number | 'off';
  /** How the second of the rate limit is counted. Default `sliding`. */
  readonly window: RateWindow;
  /** Rules of random faults. Default none. */
  readonly faults: FaultRule | readonly FaultRule[];
  /** The seed of the random faults. Default 1. */
  readonly randomSeed: number;
  /** Default: the clock of the machine. */
  readonly clock: SandboxClock;
  /** Called at each phase of each request; the request continues when the call has resolved. Default none. */
  readonly onPhase: ((phase: RequestPhase, request: RequestLogEntry) => void | Promise<void>) | undefined;
  /** Called with each finished request. Default none. */
  readonly onRequest: ((entry: RequestLogEntry) => void) | undefined;
  /** The number of finished requests that the log keeps. Default 10,000. */
  readonly logSize: number;
  /** Whether the log keeps bodies. Default false. */
  readonly logBodies: boolean;
  /** Whether the message of an error says what is wrong; otherwise only the log does. Default false. */
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
  // GET /sandbox shows every setting: other properties of the object, such as a token of the caller, must not
  // be among them.
  const given = Object.entries(options).filter(([name, value]) => value !== undefined && name in defaults);
  return { ...defaults, ...Object.fromEntries(given) };
}
