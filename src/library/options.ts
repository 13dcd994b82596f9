import type { ClientEvent, RunCaller } from '../app/run/caller.ts';
import { remoteTarget, type Site } from '../app/run/target.ts';
import { usualWorkDir } from '../app/run/work-dir.ts';
import { FatalError } from '../model/fatal-error.ts';
import { parseBaseUrl, parseToken } from '../workspace/index.ts';
import { refuseOption } from './longshore-error.ts';

/** `sandbox` is the local workspace in the work dir, to rehearse on. */
export type WorkspaceOption = 'sandbox' | { readonly baseUrl: string; readonly token: string };

/** What every call takes. */
export interface CallOptions {
  /** Left out: as the pipeline says, else LONGSHORE_BASE_URL and LONGSHORE_TOKEN. */
  readonly workspace?: WorkspaceOption | undefined;
  /** The folder of the journal, the runs and the sandbox; left out: `.longshore` in the current folder. */
  readonly workDir?: string | undefined;
  /** Stops the work at its next safe point; the same call continues it. */
  readonly signal?: AbortSignal | undefined;
}

/** What a call that runs a pipeline takes. */
export interface RunOptions<Event> extends CallOptions {
  /** Hears how the run goes; nothing in the run depends on it. What it throws stops the run. */
  readonly onEvent?: ((event: Event) => void) | undefined;
  /** Starts a new run instead of continuing an unfinished one. */
  readonly fresh?: boolean | undefined;
}

/** Where the work of a call is done: its work dir, and its workspace as a command names it, in the same spelling. */
export function siteOf({ workspace, workDir = usualWorkDir() }: CallOptions): Site {
  if (typeof workspace === 'object') {
    const { origin, prefix } = parseBaseUrl(workspace.baseUrl);
    const baseUrl = origin + prefix;
    const token = workspace.token.trim();
    parseToken(token);
    return { workDir, workspace: baseUrl, target: remoteTarget(baseUrl, token) };
  }
  if (workspace !== undefined && workspace !== 'sandbox') {
    refuseOption('workspace', 'workspace takes "sandbox" or { baseUrl, token }.');
  }
  return { workDir, workspace };
}

/** A program as the caller of a run: it hears everything as events, and its signal stops the work. */
export function programCaller<Event>({
  signal,
  onEvent,
}: Pick<CallOptions, 'signal'> & {
  readonly onEvent?: ((event: Event | ClientEvent) => void) | undefined;
}): RunCaller<Event, unknown> {
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

/** What stops the work when the caller's signal does. */
function interruption(cause: unknown): FatalError {
  return new FatalError('interrupted', 'interrupted by the signal of the call.', {
    next: 'Call it again with the same pipeline and work dir to continue.',
    cause,
  });
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
