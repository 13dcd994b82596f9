import type { CommentPart, KnownComment } from '../../../journal/index.ts';
import type { Problem } from '../../../model/problem.ts';
import { addComment, type CommentEffect, planComment } from '../../../steps/add-comment.ts';
import type { ImportContext } from '../context.ts';
import { performReady, type Step } from '../step.ts';
import { type BelongingsWork, failure, type PendingComment } from './belongings-work.ts';
import { hashOf } from './delta.ts';

/** What came of a person's comments. */
export interface CommentsEnd {
  readonly did: boolean;
  readonly uncertain: boolean;
  readonly failures: readonly Problem[];
  readonly notes: readonly Problem[];
  readonly also: readonly (() => void)[];
}

/**
 * Sends a person's comments in order, each part once: one that may have been sent is not sent again unless somebody says
 * so (design: Uncertain), and one that failed holds back those after it, so that the order stays.
 */
export async function bringComments(context: ImportContext, work: BelongingsWork): Promise<CommentsEnd> {
  const comments = new Comments(context, work);
  for (const pending of work.comments) {
    await comments.bring(pending);
    if (comments.failures.length > 0) break;
  }
  return comments;
}

class Comments implements CommentsEnd {
  readonly #context: ImportContext;
  readonly #work: BelongingsWork;
  did = false;
  uncertain = false;
  readonly failures: Problem[] = [];
  readonly notes: Problem[] = [];
  readonly also: (() => void)[] = [];

  constructor(context: ImportContext, work: BelongingsWork) {
    this.#context = context;
    this.#work = work;
  }

  async bring({ comment, known }: PendingComment): Promise<void> {
    const { contact, created, remembered } = this.#work;
    const { journal, clock } = this.#context;
    const text = hashOf(comment.text);
    const effects = planComment(contact.id, comment);
    if (known === undefined && !(created || remembered || this.#context.belongings.existingComments)) {
      this.#leave(comment, { id: comment.id, parts: effects.map(() => 'left'), text, sentAt: null });
      return;
    }
    const wasSent = known?.parts.some((part) => part !== 'open') === true;
    if (wasSent && known.text !== text) {
      this.#note(
        comment.id,
        'comments.edited',
        'its text has changed since, and a comment cannot be changed',
      );
      return;
    }
    const parts: CommentPart[] = wasSent ? [...known.parts] : effects.map(() => 'open');
    for (const [n, effect] of effects.entries()) {
      const item = effects.length === 1 ? comment.item : `${comment.item} (${n + 1}/${effects.length})`;
      const remember = (part: CommentPart) => {
        const after = { id: comment.id, parts: parts.with(n, part), text, sentAt: clock.now() };
        return journal.comments.remember(comment.under, after);
      };
      const step = {
        seq: this.#work.person.carrier.seq,
        item,
        operation: addComment,
        effect,
        aside: this.#work.aside,
        remember: { sent: remember('uncertain'), acked: remember('sent'), notSent: remember('open') },
      };
      const part = await this.#part(step, parts[n] ?? 'open', known?.sentAt ?? null);
      if (part === undefined) return;
      parts[n] = part;
    }
  }

  /** Sends one part where it is to be sent, and says how it stands; undefined where it failed. */
  async #part(
    step: Step<CommentEffect>,
    part: CommentPart,
    sentAt: number | null,
  ): Promise<CommentPart | undefined> {
    if (part === 'sent' || part === 'left') return part;
    if (part === 'uncertain' && !this.#context.scope.resend) {
      await this.#keepUncertain(step, sentAt);
      return part;
    }
    const end = await performReady(this.#context, step, this.#work.newSince);
    switch (end.kind) {
      case 'done':
        this.did = true;
        return 'sent';
      case 'uncertain':
        this.#isUncertain(step);
        return 'uncertain';
      default:
        this.failures.push(failure(`comment ${step.item}`, end));
        return undefined;
    }
  }

  /** It stays on the list of what cannot be known, in this run, too. */
  async #keepUncertain(step: Step<CommentEffect>, sentAt: number | null): Promise<void> {
    const { journal } = this.#context;
    const { item = '', operation, effect, seq } = step;
    const name = { seq, name: operation.name, item };
    const open = this.#work.person.open.find((each) => each.name === operation.name && each.item === item);
    if (open === undefined) {
      await journal.intend({ ...name, state: 'uncertain', intent: effect, before: null, sentAt }, []);
    } else journal.mark(name, 'uncertain');
    this.#isUncertain(step);
  }

  #isUncertain({ item }: Step<CommentEffect>): void {
    this.uncertain = true;
    const reason = `comment ${item} may have been added, and nobody can read it back`;
    this.notes.push({ code: 'comments.uncertain', column: null, reason });
  }

  #leave(comment: PendingComment['comment'], known: KnownComment): void {
    this.also.push(this.#context.journal.comments.remember(comment.under, known));
    this.#note(
      comment.id,
      'comments.left',
      'the contact was there before; "comments: { existing: send }" sends it',
    );
  }

  #note(id: string, code: string, why: string): void {
    const reason = `comment ${id} was left out: ${why}`;
    this.notes.push({ code, column: null, reason });
  }
}
