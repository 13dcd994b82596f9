import { FatalError } from '../../../src/model/fatal-error.ts';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/index.ts';

/** Stops a run at a request that was applied and whose answer is lost, as a kill would. */
export class Stopper {
  #at: { readonly method: string; readonly template: string; readonly stop: AbortController } | undefined;

  /** An option of the sandbox. */
  readonly onPhase: SandboxOptions['onPhase'] = (phase, { method, template }) => {
    const at = this.#at;
    if (at === undefined || phase !== 'applied' || method !== at.method || template !== at.template) return;
    this.#at = undefined;
    at.stop.abort(new FatalError('interrupted', 'interrupted by SIGTERM.', { signal: 'SIGTERM' }));
  };

  /** The next such request is the last one. */
  at(sandbox: Sandbox, method: string, template: string): AbortController {
    sandbox.scriptFault({ kind: 'dropAfter', method, path: template });
    const stop = new AbortController();
    this.#at = { method, template, stop };
    return stop;
  }
}
