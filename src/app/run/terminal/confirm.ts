import type { Hint } from '../../../model/command.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import type { Screen } from './screen.ts';
import { abortOnStopSignals } from './stop-signals.ts';

/** Throws a FatalError (usage) where there is no terminal for a question; `next` is the command to type instead. */
export function assertCanAsk(command: string, next: Hint, { canAsk }: Screen): void {
  if (canAsk) return;
  const message = `${command} asks before it begins, and there is no terminal to ask at. Nothing was changed.`;
  throw new FatalError('usage', message, { next });
}

/** Asks a question at the terminal and returns true if the typed answer is `answer`, without regard to case. */
export async function askToConfirm(question: string, answer: string, screen: Screen): Promise<boolean> {
  const { stop, release } = abortOnStopSignals();
  try {
    const typed = await screen.ask(question, stop.signal);
    return typed.trim().toLowerCase() === answer.toLowerCase();
  } finally {
    release();
  }
}
