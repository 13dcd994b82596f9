import type { CustomField } from '../../model/custom-field.ts';
import { readPipelineKind } from '../../pipeline/index.ts';
import { loadPipelineOfKind } from '../../pipeline/load-kind.ts';
import { withResolvedSeedPath } from '../../pipeline/workspace.ts';
import { alignColumns } from '../../report/layout.ts';
import { readCustomFields } from '../../steps/ensure-field.ts';
import { type CommandCallbacks, createNoteListener } from '../run/caller.ts';
import { openInteractiveClient } from '../run/open-client.ts';
import { announceTarget, type CommandContext, openWorkspaceTarget } from '../run/target.ts';
import { createErrorRethrower, type PipelineCommandContext } from '../run/terminal/next-hint.ts';
import { printWarning, type Screen } from '../run/terminal/screen.ts';
import { abortOnStopSignals } from '../run/terminal/stop-signals.ts';
import { assertVariableAllowed } from '../run/variables.ts';
import { prepareWorkDir } from '../run/work-dir.ts';

/** Prints the custom fields of the workspace of a pipeline; returns the exit code. */
export async function runFieldsCommand(flags: PipelineCommandContext, screen: Screen): Promise<number> {
  const caller = {
    note: (text: string) => screen.note(text),
    warn: printWarning,
    stoppable: abortOnStopSignals,
  };
  const words = ['fields', flags.pipelineFile];
  const found = await readFields(flags.pipelineFile, flags, caller).catch(createErrorRethrower(flags, words));
  const fields = found.fields.map(({ name, dataType, allowedValues }) => ({
    ...{ name, dataType, allowedValues: allowedValues ?? [] },
  }));
  screen.result(() => textOf(fields), { workspace: found.workspace, fields });
  return 0;
}

function textOf(
  fields: readonly {
    readonly name: string;
    readonly dataType: string;
    readonly allowedValues: readonly string[];
  }[],
): string {
  if (fields.length === 0) return 'The workspace has no custom fields.';
  const lines = fields.map(({ name, dataType, allowedValues }) => [name, dataType, allowedValues.join(', ')]);
  return alignColumns([['field', 'type', 'values'], ...lines]).join('\n');
}

/** The custom fields of a workspace, and the name that opens it: `sandbox` or its base URL. */
interface WorkspaceFields {
  readonly workspace: string;
  readonly fields: readonly CustomField[];
}

/** Reads the custom fields from the workspace of a pipeline; the mapping may still have mistakes. */
async function readFields(
  pipelineFile: string,
  site: CommandContext,
  caller: CommandCallbacks,
): Promise<WorkspaceFields> {
  const { stop, release } = caller.stoppable();
  try {
    const { settings } = await loadPipelineOfKind(pipelineFile, await readPipelineKind(pipelineFile));
    if (site.workspace !== 'sandbox') assertVariableAllowed(settings.workspace.tokenEnv, site.invocation);
    prepareWorkDir(site.workDir, (text) => caller.note(text));
    const target = await openWorkspaceTarget(site, withResolvedSeedPath(settings.workspace, pipelineFile));
    announceTarget(target, caller);
    const hear = createNoteListener((text) => caller.note(text));
    const workspace = openInteractiveClient(target, settings.limits, stop.signal, hear);
    try {
      return { workspace: target.name, fields: await readCustomFields(workspace) };
    } finally {
      await workspace.close(0);
      await target.close();
    }
  } finally {
    release();
  }
}
