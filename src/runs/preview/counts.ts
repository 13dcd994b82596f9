import { checkColumns, type LoadedMapping, parseMapping } from '../../mapping/index.ts';
import type { Draft } from '../../model/draft.ts';
import { type ProblemCount, ProblemCounter } from '../check/problem-count.ts';
import { type GivenInput, type OpenInput, openWhole } from './given-input.ts';
import { type Progress, readThrough } from './read-through.ts';
import { type Effect, effects, judgeRows, problemsOf, type RowVerdict } from './row-verdict.ts';

/** A mapping that may not be saved yet, and what errors call it. */
export interface MappingText {
  readonly text: string;
  readonly file: string;
}

/** How often a problem was found, in what, and what it does. */
export interface ReasonCount extends ProblemCount {
  readonly effect: Effect;
  /** What the mapping reads there, as `contact.email`; `file` for what is wrong with the file. */
  readonly target: string;
}

/** What a mapping makes of the rows so far, each taken for itself. */
export interface CountsSoFar extends Progress {
  readonly pass: number;
  readonly filtered: number;
  readonly rejected: number;
  /** Of those that pass: rows that are rejected where the person is new, and rows that lose a value. */
  readonly rejectedIfNew: number;
  readonly loseValue: number;
  /** In how many of the rows that pass a target gets a value. */
  readonly filled: { readonly [target: string]: number };
  /** The most frequent first. */
  readonly reasons: readonly ReasonCount[];
  /** What these counts do not know, and `check` does. */
  readonly leftOut: readonly string[];
}

const mostExamples = 10;
const leftOut = [
  'Rows that describe one person are counted one by one: what policy.duplicates makes of them is not in these counts.',
  'The workspace is not asked: users, list values and contacts that exist are not in these counts.',
];

/** Opens the input, and throws a FatalError where it lacks a column that the mapping reads. */
export async function openFor(
  given: GivenInput,
  loaded: LoadedMapping,
  signal: AbortSignal,
): Promise<OpenInput> {
  const input = await openWhole(given, signal);
  const { columns, lists, absent } = input.facts;
  const mistakes = columns === null ? [] : checkColumns(loaded, columns, lists, absent);
  if (mistakes.length > 0) throw loaded.refusal(mistakes);
  return input;
}

/** Runs a mapping on all rows of an input; `tell` hears the counts again and again until they are done. */
export async function countRows(
  given: GivenInput,
  { text, file }: MappingText,
  tell: (soFar: CountsSoFar) => void,
  signal: AbortSignal,
): Promise<void> {
  const loaded = parseMapping(text, file);
  const judge = judgeRows(loaded);
  const counts = new Counts();
  const input = await openFor(given, loaded, signal);
  await readThrough(
    input,
    (item) => counts.add(item.line, judge(item), item.kind === 'broken'),
    (progress) => tell({ ...progress, ...counts.soFar(), leftOut }),
    signal,
  );
}

class Counts {
  readonly #rows = { pass: 0, filtered: 0, rejected: 0, rejectedIfNew: 0, loseValue: 0 };
  readonly #filled = new Map<string, number>();
  readonly #reasons = {
    rejected: new ProblemCounter(mostExamples),
    rejectedIfNew: new ProblemCounter(mostExamples),
    dropped: new ProblemCounter(mostExamples),
  };
  /** Codes of records that are no rows. */
  readonly #ofFile = new Set<string>();

  add(line: number, verdict: RowVerdict, isBroken: boolean): void {
    for (const [effect, problem] of problemsOf(verdict)) {
      this.#reasons[effect].add(line, problem);
      if (isBroken) this.#ofFile.add(problem.code);
    }
    if (verdict.kind !== 'passes') {
      this.#rows[verdict.kind] += 1;
      return;
    }
    this.#rows.pass += 1;
    if (verdict.ifNew.length > 0) this.#rows.rejectedIfNew += 1;
    if (verdict.draft.dropped.length > 0) this.#rows.loseValue += 1;
    for (const target of filledIn(verdict.draft))
      this.#filled.set(target, (this.#filled.get(target) ?? 0) + 1);
  }

  soFar(): Omit<CountsSoFar, keyof Progress | 'leftOut'> {
    const reasons = effects.flatMap((effect) =>
      this.#reasons[effect].all().map((count) => ({
        ...count,
        effect,
        target: this.#ofFile.has(count.code) ? 'file' : targetOf(count.code),
      })),
    );
    return {
      ...this.#rows,
      filled: Object.fromEntries(this.#filled),
      reasons: reasons.sort((a, b) => b.n - a.n),
    };
  }
}

/** The targets of which a draft has a value of its row or a default. */
function filledIn({
  values,
  defaults,
  tags = [],
  lifecycle,
  defaultLifecycle,
  ...others
}: Draft): readonly string[] {
  const found: string[] = [];
  for (const part of ['contact', 'customFields'] as const) {
    const own: Readonly<Record<string, unknown>> = values[part];
    const otherwise: Readonly<Record<string, unknown>> = defaults[part];
    for (const name in own) if (own[name] !== null) found.push(`${part}.${name}`);
    for (const name in otherwise) if ((own[name] ?? null) === null) found.push(`${part}.${name}`);
  }
  if (tags.length > 0) found.push('tags');
  if ((lifecycle ?? defaultLifecycle ?? null) !== null) found.push('lifecycle');
  if (others.assignee !== undefined) found.push('assignee');
  if (others.conversation !== undefined) found.push('conversation');
  if ((others.comments ?? []).length > 0) found.push('comments');
  return found;
}

const parts = new Set([
  'customFields',
  'tags',
  'lifecycle',
  'assignee',
  'conversation',
  'comments',
  'identity',
]);

/** What a problem's code speaks of: `email.invalid` of `contact.email`, `customFields.Plan.notAllowed` of `customFields.Plan`. */
function targetOf(code: string): string {
  const target = code.slice(0, Math.max(0, code.lastIndexOf('.')));
  return parts.has(target.split('.')[0] ?? '') ? target : `contact.${target}`;
}
