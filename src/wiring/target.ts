import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { FatalError } from '../model/fatal-error.ts';
import { parseBaseUrl, parseToken } from '../workspace/address.ts';

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
  close(): Promise<void>;
}

/** What a pipeline says of its workspace. */
export interface WorkspaceSettings {
  readonly baseUrl?: string | undefined;
  readonly tokenEnv?: string | undefined;
  readonly sandbox?: { readonly seed?: string | undefined } | undefined;
}

/** Finds the workspace: the flag, else the pipeline, else the environment; `sandbox` starts the local one. */
export async function openTarget(
  flags: { readonly workspace?: string | undefined; readonly workDir: string },
  settings: WorkspaceSettings,
): Promise<Target> {
  if (flags.workspace === 'sandbox') {
    const file = join(resolve(flags.workDir), 'sandbox.db');
    return await openSandbox(file, settings.sandbox?.seed);
  }
  const baseUrl = findBaseUrl(
    [
      { from: '--workspace', text: flags.workspace },
      { from: 'workspace.baseUrl', text: settings.baseUrl },
      { from: 'LONGSHORE_BASE_URL', text: process.env.LONGSHORE_BASE_URL },
    ],
    {
      message: 'no workspace is named.',
      next: 'export LONGSHORE_BASE_URL=https://…/v1   (or workspace.baseUrl in the pipeline; --workspace sandbox is a local one to rehearse on)',
    },
  );
  return liveTarget(baseUrl, settings.tokenEnv ?? 'LONGSHORE_TOKEN');
}

/** A workspace in the network, with the token of an environment variable. */
export function liveTarget(baseUrl: string, tokenEnv: string): Target {
  const token = tokenIn(tokenEnv);
  if (token === '') {
    throw new FatalError('usage', `there is no token: the environment variable ${tokenEnv} is not set.`, {
      next: `export ${tokenEnv}=…   (it is in the workspace settings: integrations, developer API)`,
    });
  }
  checkToken(token, tokenEnv);
  return {
    baseUrl,
    token,
    place: baseUrl,
    name: baseUrl,
    secrets: [token],
    close: () => Promise.resolve(),
  };
}

/** The token of an environment variable, empty where there is none. */
export function tokenIn(tokenEnv: string): string {
  return process.env[tokenEnv]?.trim() ?? '';
}

function checkToken(token: string, from: string): void {
  try {
    parseToken(token);
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    const next = `export ${from}=…   (the token alone, in one line)`;
    throw new FatalError(error.reason, error.message, { place: { key: from }, next, cause: error });
  }
}

/** The first base URL that is given, in one spelling, whoever gave it; the error says who. */
export function findBaseUrl(
  places: readonly { readonly from: string; readonly text: string | undefined }[],
  none: { readonly message: string; readonly next: string },
): string {
  const given = places.find(({ text }) => text !== undefined && text.trim() !== '');
  if (given?.text === undefined) throw new FatalError('usage', none.message, { next: none.next });
  try {
    const { origin, prefix } = parseBaseUrl(given.text);
    return origin + prefix;
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    throw new FatalError(error.reason, error.message, {
      place: { key: given.from },
      next:
        given.from === '--workspace'
          ? '--workspace takes "sandbox" or a base URL, as https://host/v1.'
          : `Mend ${given.from}, or rehearse with --workspace sandbox.`,
      cause: error,
    });
  }
}

/** Starts the local workspace of a file, which its seed fills where it is new; nobody else of this machine reaches it. */
export async function openSandbox(file: string, seed: string | undefined): Promise<Target> {
  const { startSandbox } = await import('../sandbox/index.ts');
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
    name: 'sandbox',
    secrets: [token],
    close: () => sandbox.close(),
  };
}

/** A token that nobody guesses, for a local workspace. */
export function randomToken(): string {
  return randomBytes(24).toString('base64url');
}
