import { loadImportPipeline } from '../../pipeline/index.ts';
import { buildCommandWordsForSelection } from '../../report/words.ts';
import type { NextStep } from '../import/report/summary.ts';
import { formatCommandLine } from '../run/command-line.ts';
import { createErrorRethrower, type PipelineCommandContext } from '../run/terminal/next-hint.ts';
import { createProgressCallbacks } from '../run/terminal/progress-caller.ts';
import type { Screen } from '../run/terminal/screen.ts';
import type { RehearsalSummary } from './rehearsal-schema.ts';
import { type RehearsalOptions, runRehearsal } from './rehearse-run.ts';
import { renderRehearsal } from './report/rehearsal-text.ts';

/** The flags of `rehearse`. */
export interface RehearsalFlags extends RehearsalOptions, PipelineCommandContext {}

/** Rehearses an import and shows the result; returns the exit code that the import would have. */
export async function runRehearsalCommand(flags: RehearsalFlags, screen: Screen): Promise<number> {
  const { pipelineFile, source } = flags;
  const words = buildCommandWordsForSelection(flags.selection, pipelineFile).slice(1);
  const rethrow = createErrorRethrower(flags, ['rehearse', ...words]);
  const pipeline = await loadImportPipeline(pipelineFile, source).catch(rethrow);
  const caller = createProgressCallbacks(screen);
  try {
    const { summary, run, problems } = await runRehearsal(pipeline, flags, flags, caller).catch(rethrow);
    caller.done();
    const { colour, columns } = screen;
    const view = { colour, columns, next: nextStepsOf(flags, summary) };
    screen.result(() => renderRehearsal(summary, run, problems, view), summary);
    return summary.exitCode;
  } finally {
    caller.done();
  }
}

function nextStepsOf(
  { pipelineFile, selection, workspace, source, invocation }: RehearsalFlags,
  { kept, guard }: RehearsalSummary,
): NextStep[] {
  const context = { workspace, source };
  const words = buildCommandWordsForSelection(selection, pipelineFile);
  const importing =
    guard === null
      ? { why: 'To import', command: formatCommandLine(words, context, invocation) }
      : { why: 'To import anyway', command: formatCommandLine([...words, '--yes'], context, invocation) };
  const looking =
    kept === null
      ? []
      : [
          {
            why: 'To look at the copy',
            command: formatCommandLine(['sandbox', '--file', `${kept}/sandbox.db`], {}, invocation),
          },
          {
            why: 'To see the rehearsed run',
            command: formatCommandLine(['status'], { workDir: kept }, invocation),
          },
        ];
  return [...looking, importing];
}
