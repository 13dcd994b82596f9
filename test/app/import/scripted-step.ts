import { expect } from 'vitest';
import type { PlannedStep } from '../../../src/app/run/step.ts';
import type { WorkspaceAnswer } from '../../../src/model/answer.ts';
import { idToIdentifier } from '../../../src/model/identifier.ts';
import { TransportError, type TransportResponse } from '../../../src/model/ports.ts';
import type { EffectResult, SettleResult, Step } from '../../../src/steps/step.ts';
import { contact } from '../../identity/contact.ts';
import { answer, errorAnswer } from '../../workspace/open.ts';
import type { Scene } from './context.ts';

export const ada = 'email:ada@example.test';
export const ok: WorkspaceAnswer<EffectResult> = { kind: 'ok', value: { contactId: null } };
export const unknown: WorkspaceAnswer<EffectResult> = { kind: 'unknown', message: 'the connection is gone' };
export const queued: WorkspaceAnswer<EffectResult> = { kind: 'queued', message: 'later' };
export const refused: WorkspaceAnswer<EffectResult> = {
  kind: 'refused',
  status: 400,
  message: 'Validation error.',
};
export const absent: SettleResult = { kind: 'absent' };
export const done: SettleResult = { kind: 'done', contact: contact(7) };

/** What the workspace answers where the client is to give this. */
function responseOf(wanted: WorkspaceAnswer<EffectResult>): TransportResponse {
  switch (wanted.kind) {
    case 'ok':
      return answer(200, { contactId: 7, text: 'hello', created_at: 1 });
    case 'absent':
      return errorAnswer(404, wanted.message);
    case 'queued':
      return errorAnswer(449, wanted.message);
    case 'refused':
      return errorAnswer(wanted.status, wanted.message);
    case 'unknown':
      throw new TransportError(wanted.message, true);
  }
}

/**
 * A step that is answered by two lists, the last entry again and again: through the client where it is sent. What it was
 * asked stands in `log`.
 */
export function scripted(
  scene: Scene,
  script: {
    readonly send?: readonly (WorkspaceAnswer<EffectResult> | Error)[];
    readonly settle?: readonly SettleResult[];
    readonly eventuallyVisible?: boolean;
  },
): { readonly step: PlannedStep<string>; readonly log: string[]; readonly aside: { count: number } } {
  const { elapsed, open, answering: others } = scene;
  const log: string[] = [];
  const aside = { count: 0 };
  const at = (what: string) => log.push(`${what} ${Math.round(elapsed() / 1_000)}s`);
  const next = <T>(list: readonly T[], what: string): T => {
    const done = log.filter((entry) => entry.startsWith(what)).length;
    const entry = list[Math.min(done, list.length) - 1];
    if (entry === undefined) throw new Error(`nobody expected to ${what}`);
    return entry;
  };
  const change: Step<string> = {
    name: 'create',
    label: 'contacts created',
    before: () => null,
    eventuallyVisible: script.eventuallyVisible ?? true,
    parse: String,
    creates: () => [ada],
    mayArriveLate: () => ['id:7'],
    async send(workspace, _, options) {
      let scripted: WorkspaceAnswer<EffectResult> | undefined;
      scene.answering = (request, ...more) => {
        if (request !== 'POST /contact/id:7/comment') return others(request, ...more);
        // The promise of the whole: what is sent stands in the journal already.
        expect(open()).toMatchObject([{ seq: 3, name: 'create', state: 'sent', intent: 'an effect' }]);
        at('send');
        const entry = next(script.send ?? [], 'send');
        if (entry instanceof Error) throw entry;
        scripted = entry;
        return responseOf(entry);
      };
      const { kind } = await workspace.contacts.comment(idToIdentifier(7), 'hello', options);
      if (scripted?.kind !== kind) throw new Error(`the client gave ${kind} of ${scripted?.kind}`);
      return scripted;
    },
    async settle() {
      at('settle');
      return next(script.settle ?? [], 'settle');
    },
  };
  const step: PlannedStep<string> = {
    seq: 3,
    step: change,
    effect: 'an effect',
    before: { value: 'old' },
    withoutSlot: (wait) => {
      aside.count += 1;
      return wait();
    },
  };
  return { step, log, aside };
}
