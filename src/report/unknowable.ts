import { counted, moment } from './figures.ts';
import type { SessionSpan } from './sessions.ts';
import type { Summary } from './summary.ts';

/** What nobody can know from what the journal and the interface say, in sentences. */
export function unknowable(summary: Summary, spans: readonly SessionSpan[], inTheAir: number): string[] {
  const notes: string[] = [];
  const { uncertain } = summary.rows;
  if (uncertain > 0) {
    notes.push(
      `${counted(uncertain, 'row')} may or may not have been applied in full: the answer was lost, and the interface offers no way to read what was sent.`,
    );
  }
  if (inTheAir > 0) {
    notes.push(
      `${counted(inTheAir, 'request')} had left when the process ended, without an answer in the journal. The next session finds out by reading the workspace before it sends anything again.`,
    );
  }
  const silent = spans.filter(({ end }) => end === 'left' || end === 'running').length;
  if (silent > 0) {
    const [whose, their] = silent === 1 ? ['one session', 'its'] : [counted(silent, 'session'), 'their'];
    notes.push(
      `The end of ${whose} is not recorded: ${their} time and requests are counted up to the last sign of life, so a few requests may be missing from the figures.`,
    );
  }
  notes.push(
    `This page says what was sent and answered until ${moment(summary.finishedAt)}. What people changed in the workspace since is not in it.`,
  );
  return notes;
}
