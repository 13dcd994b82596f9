import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { RunRecord, Shipping } from '../../journal/index.ts';
import { shellQuoted } from '../../model/command-line.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { SendPermit } from '../../model/ports.ts';
import { parseBaseUrl, parseToken } from '../../workspace/index.ts';
import type { Caller } from './caller.ts';
import { nearPath } from './near-path.ts';
import { variable } from './variables.ts';

/** Where a command or a program works. */
export interface Site {
  readonly workDir: string;
  /** `sandbox` or a base URL, where it was named. */
  readonly workspace?: string | undefined;
  /** The workspace itself, of a program that has its token. */
  readonly target?: Target | undefined;
  /** A Prometheus text file to keep, of a run. */
  readonly metrics?: string | undefined;
  /** What a run on one of several machines works under. */
  readonly fleet?: FleetPorts | undefined;
}

/** What keeps a run of several machines from being lost with its own, and from going on twice. */
export interface FleetPorts {
  readonly shipping: Shipping;
  readonly leave: SendPermit;
}

/** A workspace as the command line found it. */
export interface Target {
  readonly baseUrl: string;
  /** The Unix socket that answers for it. */
  readonly socketPath?: string | undefined;
  readonly token: string;
  /** What the journal remembers it by. */
  readonly place: string;
  /** What opens it again: `sandbox` or the base URL. */
  readonly name: string;
  /** What must stand in no file and on no screen. */
  readonly secrets: readonly string[];
  /** What a person should know of it before it is asked. */
  readonly note?: string;
  close(): Promise<void>;
}

const sandboxName = 'sandbox';

/** What a pipeline says of its workspace. */
export interface WorkspaceSettings {
  readonly baseUrl?: string | undefined;
  readonly tokenEnv?: string | undefined;
  readonly sandbox?: { readonly seed?: string | undefined } | undefined;
}

/** Finds the workspace: the flag, else the pipeline, else the environment; `sandbox` starts the local one. */
export async function openTarget(
  { workspace, workDir, target }: Site,
  settings: WorkspaceSettings,
): Promise<Target> {
  if (target !== undefined) return target;
  const name = workspaceName(workspace, settings);
  if (name === sandboxName)
    return await openSandbox(join(resolve(workDir), 'sandbox.db'), settings.sandbox?.seed);
  return liveTarget(name, settings.tokenEnv ?? 'LONGSHORE_TOKEN');
}

/** Which workspace is meant, before anybody asks it: `sandbox` or its base URL; throws where none is set. */
export function workspaceName(named: string | undefined, settings: WorkspaceSettings): string {
  if (named === sandboxName) return named;
  return findBaseUrl(
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

/** The same for a command that need not ask it: undefined where none can be told. */
export function namedWorkspace(named: string | undefined, settings: WorkspaceSettings): string | undefined {
  try {
    return workspaceName(named, settings);
  } catch (error) {
    if (error instanceof FatalError) return undefined;
    throw error;
  }
}

/** A workspace in the network, with the token of an environment variable. */
export function liveTarget(baseUrl: string, tokenEnv: string): Target {
  const token = variable(tokenEnv);
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
  return addressed(baseUrl, token);
}

/** A workspace in the network. */
export function addressed(baseUrl: string, token: string): Target {
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
 * The base URL that is stated, in one spelling, whoever stated it; the error says who. What was typed on the command line
 * wins: whoever types an address means it. Two others that differ are refused.
 */
export function findBaseUrl(
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

/** Where a base URL stands that was typed. */
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

/** Throws where a run's workspace (its place, if the journal has it) is not the target; `again` is typed to have the right one. */
export function assertWorkspaceOf(
  { id, kind }: Pick<RunRecord, 'id' | 'kind'>,
  place: string | undefined,
  target: Target,
  again: string,
): void {
  if (place === undefined || place === target.place) return;
  const did = kind === 'import' ? 'wrote into' : 'exported';
  throw new FatalError(
    'usage',
    `run ${id} ${did} ${place}, not ${kind === 'import' ? 'into ' : ''}${target.place}.`,
    {
      next: `To verify it there: ${again}`,
    },
  );
}

/** Says which workspace a command works on, before it is asked. */
export function announceTarget({ name, baseUrl, note }: Target, to: Pick<Caller, 'note'>): void {
  if (note !== undefined) to.note(note);
  if (name !== sandboxName) announce('Target', baseUrl, to);
}

/** Says which workspace in the network is about to be asked, before it is. */
export function announce(what: 'Target' | 'Source', baseUrl: string, to: Pick<Caller, 'note'>): void {
  to.note(`${what} workspace: ${new URL(baseUrl).host}`);
}

/** Starts the local workspace of a file, which its seed fills where it is new; nobody else of this machine reaches it. */
export async function openSandbox(file: string, seed: string | undefined): Promise<Target> {
  const { startSandbox } = await import('../../sandbox/index.ts');
  const token = randomToken();
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
    ...(sandbox.seedUse === 'not used' && seed !== undefined && { note: seedNotUsed(file, seed) }),
    secrets: [token],
    close: () => sandbox.close(),
  };
}

/** Said where a local workspace exists and another seed is named than it was filled with. */
export function seedNotUsed(file: string, seed: string): string {
  const near = nearPath(file);
  return `The local workspace ${near} exists already: the seed ${nearPath(seed)} is not used. To start from it, remove the workspace: rm ${shellQuoted(near)}`;
}

/** A token that nobody guesses, for a local workspace. */
export function randomToken(): string {
  return randomBytes(24).toString('base64url');
}
