import { formatLocalTime, formatQuantity } from '../../../report/figures.ts';
import type { SessionSpan } from '../../../report/sessions.ts';
import type { Summary } from './summary.ts';

/** The numbers of steps and contacts whose result is not known when the report is written. */
export interface UnresolvedCounts {
  /** Steps that were sent and had no answer when the process ended; a resume checks all but comments. */
  readonly inFlight: number;
  /** Steps whose effect cannot be verified. */
  readonly uncertain: number;
  /** Contacts in contact-tags.csv, whose tags are attached by hand. */
  readonly tagged: number;
}

/** Returns sentences about results that neither the journal nor the API shows. */
export function listKnownLimits(
  summary: Pick<Summary, 'steps' | 'requests' | 'rows' | 'finishedAt'>,
  spans: readonly SessionSpan[],
  open: UnresolvedCounts,
): string[] {
  return [
    ...inFlight(open),
    ...uncertain(open),
    ...tags(summary, open),
    ...others(summary),
    ...silentEnds(spans),
    `This page shows what was sent and answered until ${formatLocalTime(summary.finishedAt)}. Later changes in the workspace are not in it.`,
  ];
}

function inFlight({ inFlight: n }: UnresolvedCounts): string[] {
  if (n === 0) return [];
  return [
    `${formatQuantity(n, 'request')} had no answer yet when the process ended. Resume checks the workspace before it resends; comments cannot be checked.`,
  ];
}

function uncertain({ uncertain: n }: UnresolvedCounts): string[] {
  if (n === 0) return [];
  return [
    `Whether ${formatQuantity(n, 'comment')} ${n === 1 ? 'is' : 'are'} in the workspace: the answer was lost, and comments cannot be verified through the API. uncertain.csv has the texts.`,
  ];
}

function tags({ steps }: Pick<Summary, 'steps'>, { tagged }: UnresolvedCounts): string[] {
  const notes: string[] = [];
  if (tagged > 0) {
    notes.push(
      `Whether the tags of ${formatQuantity(tagged, 'contact')} in contact-tags.csv were attached: the API cannot attach tags, so this is done by hand, and no run can check it.`,
    );
  }
  if ((steps.attachTags?.acked ?? 0) > 0) {
    notes.push(
      'Whether all tags sent to the declared extension were attached: it is not part of the documented API, and its answer cannot be checked.',
    );
  }
  return notes;
}

function others({ requests, rows }: Pick<Summary, 'requests' | 'rows'>): string[] {
  const notes: string[] = [];
  const read = requests['GET /contact/{identifier}']?.sent ?? 0;
  const listed = requests['POST /contact/list']?.sent ?? 0;
  if (read > 0 && listed === 0) {
    notes.push(
      'Whether other contacts have the same e-mail or phone: people were looked up one by one, and the API then returns only one contact for an identifier. A run with "lookup: snapshot" finds them all.',
    );
  }
  if (rows.merged > 0) {
    notes.push(
      'What happened to the comments, tags and conversation of a contact that was merged into another one: the API does not document it.',
    );
  }
  return notes;
}

function silentEnds(spans: readonly SessionSpan[]): string[] {
  const silent = spans.filter(({ end }) => end === 'left' || end === 'running').length;
  if (silent === 0) return [];
  const [whose, their] = silent === 1 ? ['one session', 'its'] : [formatQuantity(silent, 'session'), 'their'];
  return [
    `The end of ${whose} is not recorded: ${their} time and requests are counted up to the last save, so a few requests may be missing.`,
  ];
}
