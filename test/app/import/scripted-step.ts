import { expect } from 'vitest';
import type { PlannedStep } from '../../../src/app/run/step.ts';
import type { Answer } from '../../../src/model/answer.ts';
import type { Effected, Settled, Step } from '../../../src/steps/step.ts';
import { contact } from '../../identity/contact.ts';
import type { Scene } from './context.ts';

export const ada = 'email:ada@example.test';
export const ok: Answer<Effected> = { kind: 'ok', value: { contactId: null } };
export const unknown: Answer<Effected> = { kind: 'unknown', message: 'the connection is gone' };
export const queued: Answer<Effected> = { kind: 'queued', message: 'later' };
export const refused: Answer<Effected> = { kind: 'refused', status: 400, message: 'Validation error.' };
export const absent: Settled = { kind: 'absent' };
export const done: Settled = { kind: 'done', contact: contact(7) };

/** A step that answers by two lists, the last entry again and again; what it was asked stands in `log`. */
export function scripted(
  { elapsed, open }: Scene,
  script: {
    readonly send?: readonly (Answer<Effected> | Error)[];
    readonly settle?: readonly Settled[];
    readonly eventuallyVisible?: boolean;
  },
): { readonly step: PlannedStep<string>; readonly log: string[]; readonly aside: { count: number } } {
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
    async send() {
      // The promise of the whole: what is sent stands in the journal already.
      expect(open()).toMatchObject([{ seq: 3, name: 'create', state: 'sent', intent: 'an effect' }]);
      at('send');
      const answer = next(script.send ?? [], 'send');
      if (answer instanceof Error) throw answer;
      return answer;
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
