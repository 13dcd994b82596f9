import { counted } from './figures.ts';
import type { Summary } from './summary.ts';

/** Where to go from here: why, and what to type, where there is something to type. */
export interface NextStep {
  readonly why: string;
  readonly command: string | null;
}

/** What a command line needs beside the summary. */
export interface CommandContext {
  /** The pipeline's YAML. */
  readonly pipelineFile: string;
  /** `sandbox` or a base URL, where the command line named it. */
  readonly workspace?: string | undefined;
  /** Where it is not the usual one. */
  readonly workDir?: string | undefined;
}

/** A command line as it is typed in the checkout, each word quoted where a shell needs it. */
export function commandLine(
  words: readonly string[],
  context: Pick<CommandContext, 'workspace' | 'workDir'>,
): string {
  const flags = [
    ...(context.workspace === undefined ? [] : ['--workspace', context.workspace]),
    ...(context.workDir === undefined ? [] : ['--work-dir', context.workDir]),
  ];
  return ['npx', 'longshore', ...words, ...flags].map(quoted).join(' ');
}

const exitCodes = { budget: 4, unauthorized: 5 };

export function nextSteps(
  summary: Pick<Summary, 'run' | 'outcome' | 'exitCode' | 'rows'>,
  context: CommandContext,
): NextStep[] {
  const { rows, outcome, exitCode } = summary;
  // The journal remembers the workspace of a run.
  const { workDir } = context;
  const finished = outcome === 'finished';
  const wrong = rows.rejected + rows.failed;
  const steps: NextStep[] = [];
  if (!finished) {
    const token = exitCode === exitCodes.unauthorized;
    const why = token
      ? 'Give a token that the workspace takes (LONGSHORE_TOKEN), then continue'
      : 'Continue where it left off; nothing is sent twice';
    steps.push({ why, command: commandLine(['resume', summary.run], { workDir }) });
  }
  if (wrong > 0) {
    const [rowsWord, again] = [counted(wrong, 'row'), finished ? 'import again' : 'begin anew'];
    const mend = {
      why: `Mend the ${rowsWord} in the file, or the mapping, and ${again}; what is done is not sent again`,
      // An unfinished run is bound to the file and the mapping as they were.
      command: commandLine(['import', context.pipelineFile, ...(finished ? [] : ['--fresh'])], context),
    };
    // Too many errors stopped it: going on as before would only meet more of them.
    if (exitCode === exitCodes.budget) steps.unshift(mend);
    else steps.push(mend);
  }
  if (rows.uncertain > 0) {
    steps.push({
      why: `Look at the ${counted(rows.uncertain, 'contact')} whose row is uncertain: what was sent cannot be read back`,
      command: null,
    });
  }
  return steps;
}

/** As a POSIX shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
