import { FatalError } from '../model/fatal-error.ts';
import type { RowCounts } from '../model/outcome.ts';
import type { Alert } from '../notify/index.ts';
import { counted } from '../report/figures.ts';

/** Longer ones are lists of mistakes, which `check` prints whole. */
const longest = 1_000;

/** What stopped a command, in words that may leave the house: what an input says of people stays in it. */
export function stoppedBy(error: unknown): string {
  if (!(error instanceof FatalError) || error.reason === 'unexpected') {
    // Its text comes from anywhere, and may quote anything.
    return 'unexpected error; see the log of the command.';
  }
  const text = withoutPeople(error.message);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** E-mail addresses and phone numbers, as an error about an input may quote them. */
function withoutPeople(text: string): string {
  return text
    .replace(/[^\s"'<>(),;:=]+@[^\s"'<>(),;:]+/g, '[e-mail]')
    .replace(/\+\d(?:[\s().-]{0,2}\d){6,14}/g, '[phone]');
}

const forPeople = ['rejected', 'failed', 'proposed', 'stale', 'uncertain'] as const;

/** What a run came to that nothing stopped. */
export function endedWith(
  event: Alert['event'],
  streak: { readonly failures: number; readonly failingSince: string | null },
  end: {
    readonly exitCode: number;
    readonly rows: RowCounts | undefined;
    readonly unreadable: number | undefined;
  },
): string {
  const ended = end.exitCode === 0 ? 'finished.' : `finished; ${whatIsLeft(end)}.`;
  if (event !== 'recovery') return ended;
  const attempts = streak.failures === 1 ? 'a failed attempt' : `${streak.failures} failed attempts`;
  return `works again after ${attempts} since ${streak.failingSince}: ${ended}`;
}

function whatIsLeft({ rows, unreadable = 0 }: Parameters<typeof endedWith>[2]): string {
  if (rows === undefined) {
    const whose = counted(unreadable, 'contact');
    return `${whose} could not be read completely: see the manifest; the next export reads them again`;
  }
  const left = forPeople
    .filter((outcome) => rows[outcome] > 0)
    .map((outcome) => `${rows[outcome]} ${outcome}`);
  return `rows that need attention: ${left.join(', ')}`;
}
