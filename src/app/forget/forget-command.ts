import { join } from 'node:path';
import { hasJournal, isLikeNationalPhone, parsePersonQuery } from '../../journal/index.ts';
import { currentCommand, hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { formatQuantity } from '../../report/figures.ts';
import { systemClock } from '../../workspace/index.ts';
import { formatCommandLine, type Invocation } from '../run/command-line.ts';
import { createErrorWithRunsHint, createNoRunsError } from '../run/find-run.ts';
import { askToConfirm, assertCanAsk } from '../run/terminal/confirm.ts';
import type { Screen } from '../run/terminal/screen.ts';
import { type ForgetResult, forgetPersonInWorkDir, type PersonSearchResult } from './forget.ts';

interface ForgetFlags {
  readonly workDir: string;
  readonly invocation: Invocation;
  readonly person: string;
  readonly yes: boolean;
  readonly dryRun: boolean;
}

function notFoundText({ person, workDir }: Pick<ForgetFlags, 'person' | 'workDir'>): string {
  const text = `No person ${person} found in ${workDir}.`;
  if (!isLikeNationalPhone(person)) return text;
  return `${text} A phone number is found only with + and its country code, such as "+49 151 23456789".`;
}

/** Removes a person from the work dir after confirmation; returns the exit code: 3 if a file still names the person. */
export async function runForgetCommand(flags: ForgetFlags, screen: Screen): Promise<number> {
  const { workDir, invocation, dryRun, yes } = flags;
  if (!hasJournal(workDir)) throw createNoRunsError(workDir, '\nor choose another work dir with --work-dir.');
  const asked = parsePersonQuery(flags.person);
  let found: PersonSearchResult | undefined;
  let isConfirmed = false;
  const confirmed = async (person: PersonSearchResult): Promise<boolean> => {
    const isUnknown = person.known === 'unknown' && (asked.kind === 'key' || asked.kind === 'id');
    if (isUnknown) throw createErrorWithRunsHint(notFoundText(flags), workDir);
    if (dryRun) return false;
    if (yes) return true;
    screen.note(foundText(person));
    assertCanAsk('forget', hint`To confirm beforehand: ${currentCommand('--yes')}`, screen);
    return await askToConfirm('Remove all of this? It cannot be undone. Type yes: ', 'yes', screen);
  };
  const forgotten = await forgetPersonInWorkDir({
    workDir,
    invocation,
    asked,
    clock: systemClock,
    async confirm(person) {
      found = person;
      isConfirmed = await confirmed(person);
      return isConfirmed;
    },
  }).catch((error: unknown) => {
    // What names these places may be removed already: typed again, the command no longer finds them.
    if (found !== undefined && isConfirmed) screen.note(untouched(found).join('\n'));
    throw error;
  });
  if (found === undefined) throw new Error('no person was looked up');
  const shown = forgotten ?? found;
  const removed = forgotten !== undefined;
  if (!removed && !dryRun) throw new FatalError('usage', 'not confirmed: nothing was removed.');
  screen.result(() => (removed ? forgottenText(forgotten, flags) : foundText(shown)), { removed, ...shown });
  return removed && forgotten.left.length > 0 ? 3 : 0;
}

function foundText(found: PersonSearchResult): string {
  const { counts, runs, files } = found;
  const parts = [
    `${formatQuantity(counts.rows, 'row')} of ${formatQuantity(runs, 'run')}`,
    formatQuantity(counts.steps, 'step'),
    formatQuantity(counts.comments, 'sent comment'),
    formatQuantity(counts.proposals, 'merge proposal'),
    formatQuantity(counts.questions, 'question'),
  ];
  const heads = {
    known: `The work dir has of this person: ${parts.join(', ')}. Files with their e-mail or phone: ${files.length}.`,
    forgotten: `This person was forgotten before. Files with their e-mail or phone: ${files.length}.`,
    unknown: `The work dir has nothing of this person. Files with their e-mail or phone: ${files.length}.`,
  };
  return [heads[found.known], ...untouched(found)].join('\n');
}

function forgottenText(forgotten: ForgetResult, flags: ForgetFlags): string {
  const { counts, changed, left } = forgotten;
  const head = {
    known: `Forgotten. Removed: ${formatQuantity(counts.rows, 'row')}, ${formatQuantity(counts.steps, 'step')}; ${formatQuantity(changed.length, 'file')} changed or removed.`,
    forgotten: `Forgotten before; ${formatQuantity(changed.length, 'file')} changed or removed now.`,
    unknown: 'The work dir had nothing of this person.',
  }[forgotten.known];
  return [
    head,
    'Their rows are skipped from now on (policy.onDeleted: skip).',
    ...stillThere(left, flags),
    ...untouched(forgotten),
  ].join('\n');
}

/**
 * Returns a line for each file that still has the person. A work dir inside this one gets one line for all its files,
 * with the command to type for it.
 */
function stillThere(
  left: readonly string[],
  { person, workDir, invocation }: ForgetFlags,
): readonly string[] {
  const journal = '/journal.db';
  const below = left.filter((name) => name.endsWith(journal)).map((name) => name.slice(0, -journal.length));
  const others = left.filter((name) => !below.some((folder) => name.startsWith(`${folder}/`)));
  return [
    ...below.map((folder) => {
      const again = formatCommandLine(['forget', person], { workDir: join(workDir, folder) }, invocation);
      return `STILL THERE: ${folder} is a work dir of its own, and has the person, too: ${again}`;
    }),
    ...others.map((name) => `STILL THERE: ${name} has their e-mail or phone. Remove it from there by hand.`),
  ];
}

const holds = {
  yes: 'has the person',
  perhaps: 'cannot be searched, and may have the person',
  no: '',
} as const;

function untouched({ exports, inputs }: PersonSearchResult): readonly string[] {
  const found = exports
    .filter((each) => each.holds !== 'no')
    .map((each) => `  ${each.folder}: ${holds[each.holds]}`);
  const read = inputs.map((name) => `  ${name}: the person was read from it`);
  return [
    'Not touched: the real workspace, and files outside of the work dir (inputs, exports, plans, backups).',
    ...found,
    ...read,
  ];
}
