import { basename, join } from 'node:path';
import type { JobParameters } from './messages.ts';

/** The length of the prefix that a stored list adds to its file name. */
const idLength = '00000000-0000-0000-0000-000000000000-'.length;

/**
 * Creates a function that translates a command for this machine into one that works on any machine: `retry RUN` becomes
 * `fleet retry acme load --rows`. It returns undefined for a command without a translation.
 */
export function createFleetCommandTranslator({
  workspace: { name },
  pipeline,
  workDir,
  places,
}: CommandOrder) {
  // Files of a run are named by their path in a shared result folder, or by their name alone.
  const { results } = places;
  const [runs, lists] = [join(workDir, 'runs'), join(workDir, 'lists')];
  const shown = (word: string) => {
    // A stored list is shown under the name of the file that was submitted.
    if (word.startsWith(lists)) return basename(word).slice(idLength);
    if (!word.startsWith(runs)) return word;
    return results?.kind === 'folder'
      ? join(results.path, name, pipeline, word.slice(runs.length))
      : basename(word);
  };
  const of = [name, pipeline];
  return (words: readonly string[]): readonly string[] | undefined => {
    const [verb, , ...flags] = words.map(shown);
    const [flag, value = ''] = flags;
    if (verb === 'retry') return ['fleet', 'retry', ...of, '--rows', ...flags];
    if (verb === 'resume' || verb === 'export') return ['fleet', 'run', ...of];
    if (verb !== 'import') return undefined;
    if (flag === '--approve') return ['fleet', 'approve', name, value, '--of', pipeline];
    if (flag === '--deferred') return ['fleet', 'run', ...of, '--deferred'];
    return flag === '--fresh' ? ['fleet', 'continue', ...of, '--with', 'new'] : ['fleet', 'run', ...of];
  };
}

type CommandOrder = Pick<JobParameters, 'workspace' | 'pipeline' | 'workDir' | 'places'>;
