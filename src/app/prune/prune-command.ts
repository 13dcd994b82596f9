import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasJournal, type PrunableRun } from '../../journal/index.ts';
import { currentCommand, hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { durationSchema } from '../../pipeline/quantities.ts';
import { formatCount, formatQuantity } from '../../report/figures.ts';
import { alignColumns } from '../../report/layout.ts';
import { systemClock } from '../../workspace/index.ts';
import type { PrunableEntry } from '../forget/work-files.ts';
import { createNoRunsError } from '../run/find-run.ts';
import { askToConfirm, assertCanAsk } from '../run/terminal/confirm.ts';
import type { Screen } from '../run/terminal/screen.ts';
import { type PruneCandidates, pruneWorkDir } from './prune.ts';

interface PruneFlags {
  readonly workDir: string;
  readonly older: string | undefined;
  readonly withOpen: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
}

/** Removes old runs and old files of the studio from the work dir after confirmation; returns the exit code. */
export async function runPruneCommand(flags: PruneFlags, screen: Screen): Promise<number> {
  const { workDir, withOpen, yes, dryRun } = flags;
  const { text: older, ms: olderMs } = ageOf(flags.older);
  if (!hasJournal(workDir) && !existsSync(join(workDir, 'studio')))
    throw createNoRunsError(workDir, '\nor choose another work dir with --work-dir.');
  let found: PruneCandidates = { goes: [], stays: [], studio: [] };
  const pruned = await pruneWorkDir({
    ...{ workDir, withOpen, olderMs, clock: systemClock },
    async confirm(old) {
      found = old;
      if (dryRun) return false;
      if (yes || isNothing(old)) return true;
      screen.note(foundText(old, older));
      assertCanAsk('prune', hint`To confirm beforehand: ${currentCommand('--yes')}`, screen);
      return await askToConfirm('Remove them? It cannot be undone. Type yes: ', 'yes', screen);
    },
  });
  if (pruned === undefined && !dryRun) throw new FatalError('usage', 'not confirmed: nothing was removed.');
  const text = pruned === undefined || isNothing(found) ? foundText(found, older) : doneText(found);
  screen.result(() => text, {
    removed: pruned !== undefined,
    pruned: found.goes.map(line),
    kept: found.stays.map(line),
    studio: found.studio.map(({ kind, name }) => ({ kind, name })),
  });
  return 0;
}

function ageOf(typed: string | undefined): { readonly text: string; readonly ms: number } {
  const parsed = durationSchema.safeParse(typed);
  if (typed !== undefined && parsed.success) return { text: typed, ms: parsed.data };
  const wrong =
    typed === undefined
      ? 'how old is not said: --older is missing.'
      : `--older takes a duration, not ${JSON.stringify(typed)}.`;
  throw new FatalError('usage', wrong, { next: 'For example: --older 90d' });
}

function isNothing({ goes, studio }: PruneCandidates): boolean {
  return goes.length === 0 && studio.length === 0;
}

function doneText({ goes, studio }: PruneCandidates): string {
  const runs = goes.length === 0 ? [] : [formatQuantity(goes.length, 'run')];
  const kept = studio.length === 0 ? [] : [`from the studio ${studioWords(studio)}`];
  return `Pruned ${[...runs, ...kept].join(', ')}. The memory of imports is as before: the next one knows everybody.`;
}

function studioWords(studio: readonly PrunableEntry[]): string {
  const uploads = studio.filter(({ kind }) => kind === 'upload').length;
  const commands = studio.length - uploads;
  const words = [
    ...(uploads === 0 ? [] : [formatQuantity(uploads, 'sent file')]),
    ...(commands === 0 ? [] : [formatQuantity(commands, 'record of a command', 'records of commands')]),
  ];
  return words.join(' and ');
}

function foundText({ goes, stays, studio }: PruneCandidates, older: string): string {
  const kept =
    stays.length === 0
      ? []
      : [
          `${formatQuantity(stays.length, 'older run stays', 'older runs stay')}, because rows can still be retried (--with-open removes them, too):`,
          ...table(stays),
        ];
  const sent = studio.length === 0 ? [] : [`From the studio, older than ${older}: ${studioWords(studio)}.`];
  if (goes.length === 0)
    return [`No finished run is older than ${older} and can be pruned.`, ...sent, ...kept].join('\n');
  return [
    `${formatQuantity(goes.length, 'run')} older than ${older}. Once pruned, they can no longer be undone, retried or verified:`,
    ...table(goes),
    ...sent,
    ...kept,
  ].join('\n');
}

function table(runs: readonly PrunableRun[]): readonly string[] {
  const head = ['run', 'rows', 'changes', 'to retry', 'merge proposals'];
  const lines = runs.map(({ run, rows, steps, open, proposals }) => [
    run.id,
    ...[rows, steps, open, proposals].map(formatCount),
  ]);
  return alignColumns(
    [head, ...lines].map(([first = '', ...rest]) => [`  ${first}`, ...rest]),
    [1, 2, 3, 4],
  );
}

function line({ run, rows, steps, open, proposals }: PrunableRun) {
  return { run: run.id, rows, steps, open, proposals };
}
