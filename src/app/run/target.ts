import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { CommitShipper, RunRecord } from '../../journal/index.ts';
import { type Command, hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { SendPermit } from '../../model/ports.ts';
import { quoteForShell } from '../../model/shell-quoted.ts';
import { parseBaseUrl, parseToken } from '../../workspace/index.ts';
import type { CommandCallbacks } from './caller.ts';
import type { Invocation } from './command-line.ts';
import { toDisplayPath } from './near-path.ts';
import { readEnvVariable } from './variables.ts';

/** The work dir and the workspace of a command or a program. */
export interface CommandContext {
  readonly workDir: string;
  /** How the commands that messages suggest are typed, with the work dir. */
  readonly invocation: Invocation;
  /** `sandbox` or a base URL, where one was named. */
  readonly workspace?: string | undefined;
  /** The workspace itself, from a program that has its token; it takes precedence over `workspace`. */
  readonly target?: WorkspaceTarget | undefined;
  /** The path of the Prometheus text file to write during a run; undefined for none. */
  readonly metrics?: string | undefined;
  /** The ports of a run on one of several machines. */
  readonly fleet?: FleetPorts | undefined;
}

/** The ports of a fleet: they keep a run from being lost with its machine, and from running twice. */
export interface FleetPorts {
  readonly shipping: CommitShipper;
  readonly leave: SendPermit;
  /** The workspace and the pipeline, as alerts name them: many workspaces share the file of a pipeline. */
  readonly alertName: string;
  /** The failed attempts in a row that the fleet knows of, also those that began no run. */
  readonly earlier: EarlierFailures;
  /** Returns what the fleet does by itself after this end, and whether it was reported already. */
  outlook(exitCode: number, error: unknown): FailureOutlook;
  /**
   * Returns true if the failure is reported together with those of other jobs that failed for the same reason, so that
   * no alert of its own is sent.
   */
  collect(failure: ReportedFailure, text: AlertText): Promise<boolean>;
  /** Saves whether an alert was delivered; `failure` is what it was about, undefined where the job worked. */
  sent(delivered: boolean, failure: ReportedFailure | undefined): Promise<void>;
}

/** What an alert says. */
export interface AlertText {
  readonly message: string;
  readonly next: string | null;
}

/** A failure about which an alert was delivered. */
export interface ReportedFailure {
  readonly exitCode: number;
  /** Its reason without numbers, which differ each night. */
  readonly reason: string;
  /** True if it was given up, so that a person has to act. */
  readonly isFinal: boolean;
  /** The hash of where its alert goes: only those that go to the same place have one together. */
  readonly to?: string;
}

/** How the alert about a failure was sent. */
export interface ReportDelivery {
  /** When it was delivered (ms since 1970). */
  readonly at?: number;
  /** Set while it waits to be sent together with those of other jobs: since when (ms since 1970), and what it says. */
  readonly waits?: AlertText & { readonly since: number };
  /** True if it was one alert about several jobs, which have one alert together when they work again. */
  readonly isShared?: true;
  /** True if a person has retried the job since: its next failure is reported, even if it is the same. */
  readonly isRetried?: true;
}

/** Failed attempts in a row, and the time of the first of them (ms since 1970). */
export interface FailureStreak {
  readonly failures: number;
  readonly failingSince: number | null;
}

/** The failed attempts of a job before this one, as the fleet knows them. */
export interface EarlierFailures extends FailureStreak {
  /**
   * The failure of the last delivered alert; null if none was delivered, or once a later one said that the job works
   * again. `over` has the failures before a success that no alert has reported yet.
   */
  readonly reported: (ReportedFailure & ReportDelivery & { readonly over?: FailureStreak }) | null;
}

/** What the fleet does by itself after a failed attempt. */
export interface FailureOutlook {
  readonly failure: ReportedFailure;
  /** True if an alert about it was delivered already, and there is nothing new to report. */
  readonly isReported: boolean;
  /** Begins with a blank; empty where there is nothing to say. */
  readonly sentence: string;
  /** What a person has to do first, in place of what the error says; absent where the error says it. */
  readonly step?: string | undefined;
  /** The command that runs it again; absent where the fleet does that. */
  readonly next?: string;
}

/** A workspace that a command uses: its address, token and names. */
export interface WorkspaceTarget {
  readonly baseUrl: string;
  /** The Unix socket of a local workspace. */
  readonly socketPath?: string | undefined;
  readonly token: string;
  /** The name under which the journal knows it: its base URL, or `sandbox:ID`. */
  readonly place: string;
  /** The value of --workspace that opens it again: `sandbox` or the base URL. */
  readonly name: string;
  /** The texts that must appear in no file and on no screen. */
  readonly secrets: readonly string[];
  /** A note to show before the workspace is contacted. */
  readonly note?: string;
  close(): Promise<void>;
}

const sandboxName = 'sandbox';

/** The pipeline's settings for its workspace. */
export interface PipelineWorkspaceSettings {
  readonly baseUrl?: string | undefined;
  readonly tokenEnv?: string | undefined;
  readonly sandbox?: { readonly seed?: string | undefined } | undefined;
}

/**
 * Returns the given target, else the workspace that the flag, the pipeline or the environment names (see
 * `resolveBaseUrl`); for `sandbox` it starts the local one.
 */
export async function openWorkspaceTarget(
  { workspace, workDir, target, invocation }: CommandContext,
  settings: PipelineWorkspaceSettings,
): Promise<WorkspaceTarget> {
  if (target !== undefined) return target;
  const name = resolveWorkspaceAddress(workspace, settings);
  if (name === sandboxName)
    return await openSandboxTarget(join(resolve(workDir), 'sandbox.db'), settings.sandbox?.seed);
  return readRemoteTarget(name, settings.tokenEnv ?? 'LONGSHORE_TOKEN', invocation);
}

/** Returns the workspace to use, before it is contacted: `sandbox` or its base URL; throws where none is set. */
export function resolveWorkspaceAddress(
  named: string | undefined,
  settings: PipelineWorkspaceSettings,
): string {
  if (named === sandboxName) return named;
  return resolveBaseUrl(
    [
      { from: typedUrl, text: named },
      { from: 'workspace.baseUrl', text: settings.baseUrl },
      { from: 'LONGSHORE_BASE_URL', text: process.env.LONGSHORE_BASE_URL },
    ],
    {
      message: 'No target workspace set.',
      next: 'export LONGSHORE_BASE_URL=https://…/v1   (or workspace.baseUrl in the pipeline; --workspace sandbox is a local one to rehearse on)',
    },
  );
}

/** Returns the workspace to use, like `resolveWorkspaceAddress`; undefined where that throws. */
export function tryResolveWorkspaceAddress(
  named: string | undefined,
  settings: PipelineWorkspaceSettings,
): string | undefined {
  try {
    return resolveWorkspaceAddress(named, settings);
  } catch (error) {
    if (error instanceof FatalError) return undefined;
    throw error;
  }
}

/** Returns a remote workspace with the token of an environment variable; throws a FatalError if that is not a token. */
export function readRemoteTarget(baseUrl: string, tokenEnv: string, invocation: Invocation): WorkspaceTarget {
  const token = readEnvVariable(tokenEnv, invocation);
  if (token === '') {
    throw new FatalError('usage', `No token: the environment variable ${tokenEnv} is not set.`, {
      next: `export ${tokenEnv}=…   (see the workspace settings: Integrations, Developer API)`,
    });
  }
  try {
    parseToken(token);
  } catch (error) {
    const next = `export ${tokenEnv}=…   (the token alone, in one line)`;
    throw error instanceof FatalError ? error.with({ place: { key: tokenEnv }, next }) : error;
  }
  return createRemoteTarget(baseUrl, token);
}

/** Returns a remote workspace. */
export function createRemoteTarget(baseUrl: string, token: string): WorkspaceTarget {
  return {
    baseUrl,
    token,
    place: baseUrl,
    name: baseUrl,
    secrets: [token],
    close: () => Promise.resolve(),
  };
}

/**
 * Returns the normalised base URL of the first source that sets one. Throws if none does, or if two sources differ,
 * unless the first is a URL typed with --workspace; errors name the source.
 */
export function resolveBaseUrl(
  places: readonly { readonly from: string; readonly text: string | undefined }[],
  none: { readonly message: string; readonly next: string },
): string {
  const stated = places.flatMap(({ from, text }) =>
    text === undefined || text.trim() === '' ? [] : [{ from, url: parsedBaseUrl(from, text) }],
  );
  const [first, ...others] = stated;
  if (first === undefined) throw new FatalError('usage', none.message, { next: none.next });
  const other = others.find(({ url }) => url !== first.url);
  if (other === undefined || first.from === typedUrl) return first.url;
  throw new FatalError(
    'usage',
    `Two different workspaces are set: ${first.url} (${first.from}) and ${other.url} (${other.from}).`,
    { next: `Remove one of them, for example: unset ${other.from}` },
  );
}

/** The flag that errors name as the origin of a base URL typed on the command line. */
const typedUrl = '--workspace';

function parsedBaseUrl(from: string, text: string): string {
  try {
    const { origin, prefix } = parseBaseUrl(text);
    return origin + prefix;
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    throw error.with({
      place: { key: from },
      next:
        from === typedUrl
          ? '--workspace takes "sandbox" or a base URL such as https://host/v1.'
          : `Fix ${from}, or rehearse with --workspace sandbox.`,
    });
  }
}

/**
 * Throws a FatalError (usage) where a run's workspace (`place`, if the journal knows it) is not the target; `again` is
 * the command for the right workspace.
 */
export function assertWorkspaceOfRun(
  { id, kind }: Pick<RunRecord, 'id' | 'kind'>,
  place: string | undefined,
  target: WorkspaceTarget,
  again: Command,
): void {
  if (place === undefined || place === target.place) return;
  const did = kind === 'export' ? 'exported' : 'wrote into';
  throw new FatalError(
    'usage',
    `run ${id} ${did} ${place}, not ${kind === 'export' ? '' : 'into '}${target.place}.`,
    {
      next: hint`To verify it there: ${again}`,
    },
  );
}

/** Announces the workspace of a command before it is contacted. */
export function announceTarget(
  { name, baseUrl, note }: WorkspaceTarget,
  to: Pick<CommandCallbacks, 'note'>,
): void {
  if (note !== undefined) to.note(note);
  if (name !== sandboxName) announceWorkspace('Target', baseUrl, to);
}

/** Announces a remote workspace before it is contacted. */
export function announceWorkspace(
  what: 'Target' | 'Source',
  baseUrl: string,
  to: Pick<CommandCallbacks, 'note'>,
): void {
  to.note(`${what} workspace: ${new URL(baseUrl).host}`);
}

/**
 * Starts the local workspace of a file, filled from the seed where the file is new; no other user of this machine can
 * reach it.
 */
export async function openSandboxTarget(file: string, seed: string | undefined): Promise<WorkspaceTarget> {
  const { startSandbox } = await import('../../sandbox/index.ts');
  const token = generateToken();
  const options = { file, seed, tokens: [token], socket: true, explain: true };
  const sandbox = await startSandbox(options).catch((error: unknown) => {
    const detail = error instanceof Error ? error.message : String(error);
    throw new FatalError('usage', `the local workspace could not start: ${detail}`, {
      place: { file },
      cause: error,
    });
  });
  return {
    baseUrl: sandbox.baseUrl,
    socketPath: sandbox.socketPath,
    token,
    place: `sandbox:${sandbox.id}`,
    name: sandboxName,
    ...(sandbox.seedUse === 'not used' &&
      seed !== undefined && { note: formatUnusedSeedMessage(file, seed) }),
    secrets: [token],
    close: () => sandbox.close(),
  };
}

/** Returns the message for a local workspace that exists and was filled from another seed than the one named. */
export function formatUnusedSeedMessage(file: string, seed: string): string {
  const near = toDisplayPath(file);
  return `The local workspace ${near} exists already: the seed ${toDisplayPath(seed)} is not used. To start from it, remove the workspace: rm ${quoteForShell(near)}`;
}

/** Returns an unguessable token for a local workspace. */
export function generateToken(): string {
  return randomBytes(24).toString('base64url');
}
