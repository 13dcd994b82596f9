import { join, resolve } from 'node:path';
import { FatalError } from '../model/fatal-error.ts';
import { parseBaseUrl, parseToken } from '../workspace/address.ts';

/** A workspace as the command line found it. */
export interface Target {
  readonly baseUrl: string;
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
  if (flags.workspace === 'sandbox') return await openSandbox(flags.workDir, settings.sandbox ?? {});
  const baseUrl = findBaseUrl(flags.workspace, settings.baseUrl);
  const tokenEnv = settings.tokenEnv ?? 'LONGSHORE_TOKEN';
  const token = process.env[tokenEnv]?.trim() ?? '';
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

function checkToken(token: string, from: string): void {
  try {
    parseToken(token);
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    const next = `export ${from}=…   (the token alone, in one line)`;
    throw new FatalError(error.reason, error.message, { place: { key: from }, next, cause: error });
  }
}

/** The base URL in one spelling, whoever gave it; the error says who. */
function findBaseUrl(flag: string | undefined, setting: string | undefined): string {
  const given = [
    { from: '--workspace', text: flag },
    { from: 'workspace.baseUrl', text: setting },
    { from: 'LONGSHORE_BASE_URL', text: process.env.LONGSHORE_BASE_URL },
  ].find(({ text }) => text !== undefined && text.trim() !== '');
  if (given?.text === undefined) {
    throw new FatalError('usage', 'no workspace is named.', {
      next: 'export LONGSHORE_BASE_URL=https://…/v1   (or workspace.baseUrl in the pipeline; --workspace sandbox is a local one to rehearse on)',
    });
  }
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

async function openSandbox(
  workDir: string,
  { seed }: { readonly seed?: string | undefined },
): Promise<Target> {
  const { startSandbox } = await import('../sandbox/index.ts');
  const file = join(resolve(workDir), 'sandbox.db');
  const sandbox = await startSandbox({ file, seed, explain: true }).catch((error: unknown) => {
    const detail = error instanceof Error ? error.message : String(error);
    throw new FatalError('usage', `the local workspace could not start: ${detail}`, {
      place: { file },
      cause: error,
    });
  });
  return {
    baseUrl: sandbox.baseUrl,
    token: 'sandbox',
    place: `sandbox:${sandbox.id}`,
    name: 'sandbox',
    secrets: [],
    close: () => sandbox.close(),
  };
}
