import { commandPathFields, type StudioCommand } from '../wire/command.ts';
import { commandSchema as schema } from '../wire/schemas/command.ts';
import type { ProjectPathResolver } from './project.ts';

/** The field of the positional argument by command; for the other commands it is `pipeline`. */
const arguments_: Readonly<Record<string, string>> = {
  resume: 'run',
  retry: 'run',
  undo: 'run',
  verify: 'run',
  draft: 'file',
};

/** The options that the studio adds to every command. */
const ownFlags = ['workDir', 'allowEnv'];

const paths: readonly string[] = commandPathFields;

/**
 * Parses a command line that `formatCommandLine` has written; undefined for a command that the studio cannot start,
 * such as one with a file outside of the project folder.
 */
export function parseStudioCommandLine(
  line: string,
  program: string,
  files: ProjectPathResolver,
): StudioCommand | undefined {
  if (!line.startsWith(`${program} `)) return undefined;
  const [verb = '', ...words] = wordsIn(line.slice(program.length + 1));
  const fields = new Map<string, string | true>([['command', verb]]);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const following = words[at + 1];
    if (!word.startsWith('--')) fields.set(arguments_[verb] ?? 'pipeline', word);
    else {
      const takes = following !== undefined && !following.startsWith('--');
      fields.set(camelCased(word.slice(2)), takes ? following : true);
      if (takes) at += 1;
    }
  }
  for (const name of ownFlags) fields.delete(name);
  const named = [...fields].map(([name, value]) =>
    paths.includes(name) && typeof value === 'string' ? [name, files.nameOfInner(value)] : [name, value],
  );
  return schema.safeParse(Object.fromEntries(named)).data;
}

/** Returns the words of a line, without the quotes that `quoteForShell` has added. */
function wordsIn(line: string): readonly string[] {
  const words = line.match(/(?:'[^']*'|\\'|[^\s'\\])+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|\\(')/g, (_, text?: string) => text ?? "'"));
}

function camelCased(flag: string): string {
  return flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
