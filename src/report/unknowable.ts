import { counted, localTime } from './figures.ts';
import type { SessionSpan } from './sessions.ts';
import type { Summary } from './summary.ts';

/** What a run has left open, in numbers. */
export interface LeftOpen {
  /** Steps that had left when the process ended. */
  readonly inFlight: number;
  /** Steps of which nobody will know whether they took effect. */
  readonly uncertain: number;
  /** Contacts whose tags stand in a list. */
  readonly tagged: number;
}

/** What nobody can know from what the journal and the interface say, in sentences. */
export function unknowable(summary: Summary, spans: readonly SessionSpan[], open: LeftOpen): string[] {
  return [
    ...inFlight(open),
    ...uncertain(open),
    ...tags(summary, open),
    ...others(summary),
    ...silentEnds(spans),
    `This page says what was sent and answered until ${localTime(summary.finishedAt)}. What people changed in the workspace since is not in it.`,
  ];
}

function inFlight({ inFlight: n }: LeftOpen): string[] {
  if (n === 0) return [];
  return [
    `${counted(n, 'request')} had left when the process ended, without an answer in the journal. The next session finds out by reading the workspace before it sends anything again; of a comment it cannot find out.`,
  ];
}

function uncertain({ uncertain: n }: LeftOpen): string[] {
  if (n === 0) return [];
  return [
    `Whether ${counted(n, 'comment')} ${n === 1 ? 'is' : 'are'} in the workspace: the answer was lost, and the interface offers no way to read comments. Their texts stand in uncertain.csv.`,
  ];
}

function tags({ steps }: Summary, { tagged }: LeftOpen): string[] {
  const notes: string[] = [];
  if (tagged > 0) {
    notes.push(
      `Whether the tags of ${counted(tagged, 'contact')} in contact-tags.csv were attached: the interface lists no call for that, so somebody does it by hand, and no run hears of it.`,
    );
  }
  if ((steps.attachTags?.acked ?? 0) > 0) {
    notes.push(
      'Whether the tags that the declared extension took are all attached: it is not part of the interface, and its word is all there is.',
    );
  }
  return notes;
}

function others({ requests, rows }: Summary): string[] {
  const notes: string[] = [];
  const read = requests['GET /contact/{identifier}']?.sent ?? 0;
  const listed = requests['POST /contact/list']?.sent ?? 0;
  if (read > 0 && listed === 0) {
    notes.push(
      'Whether other contacts have the same e-mail or phone: people were looked up one by one, and the interface then shows one contact for an identifier. A run with "lookup: snapshot" sees them all.',
    );
  }
  if (rows.merged > 0) {
    notes.push(
      'What became of the comments, the tags and the conversation of a contact that was merged into another one: the interface does not say.',
    );
  }
  return notes;
}

function silentEnds(spans: readonly SessionSpan[]): string[] {
  const silent = spans.filter(({ end }) => end === 'left' || end === 'running').length;
  if (silent === 0) return [];
  const [whose, their] = silent === 1 ? ['one session', 'its'] : [counted(silent, 'session'), 'their'];
  return [
    `The end of ${whose} is not recorded: ${their} time and requests are counted up to the last sign of life, so a few requests may be missing from the figures.`,
  ];
}
