import { z } from 'zod';
import { type CommentDraft, maxCommentLength } from '../model/draft.ts';
import { idToIdentifier } from '../model/identifier.ts';
import type { StepRules } from './contact-step.ts';
import { type Step, toStepAnswer } from './step.ts';

const effectSchema = z.object({
  contactId: z.number(),
  comment: z.string(),
  part: z.object({ number: z.int(), of: z.int() }),
  text: z.string(),
});

export interface CommentEffect {
  readonly contactId: number;
  /** The id of the comment, unique within its row. */
  readonly comment: string;
  readonly part: { readonly number: number; readonly of: number };
  readonly text: string;
}

/** Returns the effects that send one comment, one for each of its parts, in order. */
export function planCommentParts(contactId: number, { id, text }: CommentDraft): readonly CommentEffect[] {
  const parts = splitComment(text);
  return parts.map((part, i) => ({
    contactId,
    comment: id,
    part: { number: i + 1, of: parts.length },
    text: part,
  }));
}

/** The step that adds comments: each is sent once, in order, and recorded by its id. */
export interface CommentStep extends Step<CommentEffect> {
  readonly kind: 'comments';
  /** True if contacts that existed before get comments, too. */
  readonly existing: boolean;
}

/**
 * Creates the step for comments. A comment whose answer is lost stays uncertain: the interface lists no comments, and
 * sending one again could add it twice.
 */
export function createCommentStep({ mapping }: StepRules): CommentStep {
  const rule = mapping.comments;
  return {
    kind: 'comments',
    name: 'comment',
    label: 'comments added',
    existing: rule !== undefined && !Array.isArray(rule) && rule.existing === 'send',
    eventuallyVisible: false,
    parse: (intent) => effectSchema.parse(intent),
    // A comment cannot be reverted.
    before: () => null,
    creates: () => [],
    mayArriveLate: () => [],
    send: async (workspace, { contactId, text }, options) =>
      toStepAnswer(await workspace.contacts.comment(idToIdentifier(contactId), text, options), contactId),
    settle: () => Promise.resolve({ kind: 'unknowable' }),
  };
}

const mention = /\{\{@user\.\d+\}\}/g;

/**
 * Splits a text into the comments to send: none if it is blank, one if it fits, otherwise parts marked `(1/3) `. A part
 * ends at a line end if that leaves it at least half full, otherwise at other white space. Only white space at a cut,
 * or at the ends of a text that is too long, is left out. A mention is never cut, and a word is cut only if it is too
 * long for any part.
 */
export function splitComment(text: string): readonly string[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  if (text.length <= maxCommentLength) return [text];
  if (trimmed.length <= maxCommentLength) return [trimmed];
  let digits = 1;
  for (;;) {
    const parts = split(trimmed, (n) => maxCommentLength - mark(n, 10 ** digits - 1).length);
    if (String(parts.length).length <= digits) {
      return parts.map((part, i) => mark(i + 1, parts.length) + part);
    }
    digits += 1;
  }
}

function mark(n: number, of: number): string {
  return `(${n}/${of}) `;
}

/** Cuts the text so that part `n`, from 1 on, is at most `room(n)` UTF-16 units long. */
function split(text: string, room: (n: number) => number): readonly string[] {
  const mentions = [...text.matchAll(mention)].map((found) => ({
    from: found.index,
    to: found.index + found[0].length,
  }));
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cut = cutBetween(text, at, at + room(parts.length + 1), mentions);
    parts.push(text.slice(at, cut).trimEnd());
    at = afterSpace(text, cut);
  }
  return parts;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the index, at most `most`, where the part that begins at `at` ends. */
function cutBetween(text: string, at: number, most: number, mentions: readonly Span[]): number {
  if (most >= text.length) return text.length;
  const line = text.lastIndexOf('\n', most);
  if (line - at >= (most - at) / 2) return line;
  const space = lastSpace(text, at, most);
  // A word that fits into no part is cut in any case, so this part need not end before it.
  if (space !== undefined && (space === most || !isOneWord(text, space + 1, most - at))) return space;
  const torn = mentions.find(({ from, to }) => from < most && most < to);
  if (torn !== undefined && torn.from > at) return torn.from;
  return isLowSurrogate(text, most) && most - 1 > at ? most - 1 : most;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text, at)) at += 1;
  return at;
}

function lastSpace(text: string, after: number, most: number): number | undefined {
  for (let i = most; i > after; i -= 1) if (isSpace(text, i)) return i;
  return undefined;
}

/** Returns true if the text from `from` on has no white space for more than `length` UTF-16 units. */
function isOneWord(text: string, from: number, length: number): boolean {
  if (from + length >= text.length) return false;
  return lastSpace(text, from - 1, from + length) === undefined;
}

function isSpace(text: string, at: number): boolean {
  return text.charAt(at).trim() === '';
}

/** Returns true if the unit is the second half of a surrogate pair. */
function isLowSurrogate(text: string, at: number): boolean {
  const [before, unit] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && unit >= 0xdc00 && unit <= 0xdfff;
}
