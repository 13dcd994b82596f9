import type { ClientEvent, RunCallbacks } from '../app/run/caller.ts';
import { type CommandContext, createRemoteTarget } from '../app/run/target.ts';
import { resolveDefaultWorkDir } from '../app/run/work-dir.ts';
import { FatalError } from '../model/fatal-error.ts';
import { parseBaseUrl, parseToken } from '../workspace/index.ts';
import { createLibraryInvocation, throwOptionError } from './longshore-error.ts';

/** The target workspace; `sandbox` is the local workspace in the work dir. */
export type WorkspaceOption = 'sandbox' | { readonly baseUrl: string; readonly token: string };

/** The options of every call. */
export interface CallOptions {
  /** The target workspace; by default the pipeline's, else that of LONGSHORE_BASE_URL and LONGSHORE_TOKEN. */
  readonly workspace?: WorkspaceOption | undefined;
  /**
   * The folder of the journal, the runs and the sandbox; by default LONGSHORE_WORK_DIR, else the nearest `.longshore`.
   */
  readonly workDir?: string | undefined;
  /** Stops the work at its next safe point; the same call continues it. */
  readonly signal?: AbortSignal | undefined;
}

/** The options of a call that runs a pipeline. */
export interface RunOptions<Event> extends CallOptions {
  /** Called with each event of the run; an error that it throws stops the run. */
  readonly onEvent?: ((event: Event) => void) | undefined;
  /** Starts a new run instead of continuing an unfinished one. */
  readonly fresh?: boolean | undefined;
}

/** Returns the work dir and the workspace of a call, its base URL normalised; throws for an invalid workspace. */
export function toCommandContext({
  workspace,
  workDir = resolveDefaultWorkDir(),
}: CallOptions): CommandContext {
  const invocation = createLibraryInvocation(workDir);
  if (typeof workspace === 'object') {
    const { origin, prefix } = parseBaseUrl(workspace.baseUrl);
    const baseUrl = origin + prefix;
    const token = workspace.token.trim();
    parseToken(token);
    return { workDir, invocation, workspace: baseUrl, target: createRemoteTarget(baseUrl, token) };
  }
  if (workspace !== undefined && workspace !== 'sandbox') {
    throwOptionError('workspace', 'workspace takes "sandbox" or { baseUrl, token }.');
  }
  return { workDir, invocation, workspace };
}

/**
 * Returns the callbacks of a run: they pass events, notes and warnings to `onEvent`, and stop the run when `signal`
 * aborts or `onEvent` throws.
 */
export function createLibraryCallbacks<Event>({
  signal,
  onEvent,
}: Pick<CallOptions, 'signal'> & {
  readonly onEvent?: ((event: Event | ClientEvent) => void) | undefined;
}): RunCallbacks<Event, unknown> {
  let stopWork = (_: FatalError) => {};
  const listen = (event: Event | ClientEvent) => {
    try {
      onEvent?.(event);
    } catch (cause) {
      stopWork(new FatalError('unexpected', `onEvent threw: ${textOf(cause)}`, { cause }));
    }
  };
  const note = (text: string) => listen({ kind: 'note', text });
  return {
    listen,
    note,
    warn: note,
    rethrow(error) {
      throw error;
    },
    stoppable() {
      const stop = new AbortController();
      stopWork = (error) => {
        if (!stop.signal.aborted) stop.abort(error);
      };
      const abort = () => stopWork(interruption(signal?.reason));
      if (signal?.aborted === true) throw interruption(signal.reason);
      signal?.addEventListener('abort', abort, { once: true });
      return { stop, release: () => signal?.removeEventListener('abort', abort) };
    },
  };
}

/** Returns the error that stops the work when the signal of the call aborts. */
function interruption(cause: unknown): FatalError {
  return new FatalError('interrupted', 'interrupted by the signal of the call.', {
    next: 'Call it again with the same pipeline and work dir to continue.',
    cause,
  });
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
