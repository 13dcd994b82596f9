import {
  createCommentRecordStore,
  type JournalDatabase,
  listUncertainSteps,
  type RunRecord,
  toKnownKeyScope,
  type UncertainStep,
} from '../../journal/index.ts';
import {
  createUncertainCommentId,
  toCommentRecordKey,
  toUncertainComment,
} from '../run/uncertain-comment.ts';
import {
  type CommentDecision,
  type CommentDecisionFile,
  mismatchedLineHint,
  uncertainCommentListFormat,
} from './comment-decisions.ts';
import { iterateQueryRows } from './earlier-rows.ts';

const pageSize = 500;

/** Sorts before all steps, including those of the run itself. */
const start = { seq: Number.MIN_SAFE_INTEGER, name: '', item: '' };

/**
 * Stores the decisions about the uncertain comments of a finished run: a comment to send again counts as not sent, so
 * that the retry sends it, and a confirmed one is never sent again. Throws a FatalError (usage) for a line whose
 * comment is not in the run's list, has been sent again or decided about since, or has another text. Call it inside a
 * transaction.
 */
export function recordCommentDecisions(
  file: JournalDatabase,
  run: RunRecord,
  { decided }: CommentDecisionFile,
): void {
  const left = new Map(decided);
  const memory = createCommentRecordStore(file, toKnownKeyScope(run));
  for (const step of iterateQueryRows((after: UncertainStep | undefined) =>
    listUncertainSteps(file, run.number, after ?? start, pageSize),
  )) {
    const id = createUncertainCommentId(toUncertainComment(step));
    const decision = left.get(id);
    if (decision === undefined) continue;
    left.delete(id);
    remember(memory, run, step, decision);
  }
  const [unknown] = left.values();
  if (unknown !== undefined)
    throw unknown.refuse(
      `run ${run.id} has no such uncertain comment: "_line", "contactId" or "step" is not as in its ${uncertainCommentListFormat.name}.`,
      mismatchedLineHint,
    );
}

function remember(
  memory: ReturnType<typeof createCommentRecordStore>,
  run: RunRecord,
  step: UncertainStep,
  { resend, text, refuse }: CommentDecision,
): void {
  if (lines(text) !== lines(toUncertainComment(step).text))
    throw refuse(
      `the text of the comment is not the one that was sent ("text"): a comment is sent again as the row has it.`,
      `${mismatchedLineHint} To send another text, change the row.`,
    );
  const about = toCommentRecordKey(step);
  const known = about && memory.of(about.under, [about.id]).find((each) => each.id === about.id);
  const isSentSince = (known?.sentAt ?? 0) > (run.endedAt ?? 0);
  if (about === undefined || known?.parts[about.part] !== 'uncertain' || isSentSince)
    throw refuse(
      `the comment is not as run ${run.id} left it: a later run has sent it again, or it was decided about already.`,
      `Clear its cell under "${uncertainCommentListFormat.mark}"; the ${uncertainCommentListFormat.name} of the latest run lists what is still uncertain.`,
    );
  const parts = known.parts.with(about.part, resend ? 'open' : 'confirmed');
  memory.remember(about.under, { ...known, parts })();
}

/** Normalises the line ends that spreadsheets write. */
function lines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
