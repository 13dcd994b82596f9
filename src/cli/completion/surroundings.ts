import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { output } from '../../app/run/terminal/output.ts';
import type { RunKind } from '../../journal/index.ts';
import { toSingleLine } from '../../model/escape-controls.ts';
import { commands } from '../commands.ts';
import { type CompletionCandidate, type CompletionSources, listCompletions } from './complete.ts';

/** The number of bytes at the start of a YAML file that are searched for the keys of a pipeline. */
const headBytes = 16_384;
const mostRuns = 50;

/** Prints the completions for a completion script: a value, a tab and a description on each line. */
export async function printCompletions(typed: readonly string[]): Promise<void> {
  const candidates = await listCompletions(typed, commands, localCompletionSources).catch(() => {
    // Errors print nothing: the shell would take any output for a completion.
    return [];
  });
  const lines = candidates.map(({ value, description }) => `${value}\t${toSingleLine(description)}`);
  if (lines.length > 0) output.result(lines.join('\n'));
}

/**
 * The completions on this machine: the pipeline files of the current folder, the runs of the work dir, and the codes.
 */
export const localCompletionSources: CompletionSources = {
  pipelines(kind, current) {
    const named = dirname(current);
    const folders = current.includes('/') && named !== 'pipelines' ? [named] : ['.', ...below('pipelines')];
    const files = folders.flatMap((folder) => yamlFiles(folder));
    return files.filter((file) => isPipeline(file, kind)).map((value) => ({ value, description: '' }));
  },

  async runs(workDir, command) {
    const {
      hasJournal: journalExists,
      listRuns,
      openJournalDatabase,
    } = await import('../../journal/index.ts');
    if (!journalExists(workDir)) return [];
    const file = openJournalDatabase(workDir);
    try {
      return listRuns(file, mostRuns)
        .filter(({ state, kind }) => fits(command, state === 'finished', kind))
        .map(
          ({ id, state, pipeline }): CompletionCandidate => ({
            value: id,
            description: `${state}, ${pipeline}`,
          }),
        );
    } finally {
      file.close();
    }
  },

  async codes() {
    const { listExpandedExplanations: typeable } = await import('../explain/explain.ts');
    return typeable().map(({ code, meaning }) => ({ value: code, description: meaning }));
  },
};

function fits(command: string, isFinished: boolean, kind: RunKind): boolean {
  if (command === 'resume') return !isFinished;
  if (command === 'retry') return isFinished && kind === 'import';
  if (command === 'undo') return kind !== 'export';
  return true;
}

/** Returns a folder and all folders below it; a missing folder counts as empty. */
function below(folder: string): readonly string[] {
  return [
    folder,
    ...entriesOf(folder).flatMap(({ name, isFolder }) => (isFolder ? below(join(folder, name)) : [])),
  ];
}

function yamlFiles(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter(({ name, isFolder }) => !isFolder && /\.ya?ml$/i.test(name))
    .map(({ name }) => join(folder, name));
}

function entriesOf(folder: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    }));
  } catch {
    // A folder that cannot be read has no completions.
    return [];
  }
}

function isPipeline(file: string, kind: 'import' | 'export' | undefined): boolean {
  const head = headOf(file);
  const has = (key: string) => new RegExp(`^\\{?\\s*["']?${key}["']?\\s*:`, 'm').test(head);
  return has('pipeline') && (kind === undefined ? has('import') || has('export') : has(kind));
}

function headOf(file: string): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const head = Buffer.alloc(headBytes);
      return head.toString('utf8', 0, readSync(descriptor, head));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
