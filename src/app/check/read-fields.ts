import type { CustomField } from '../../model/custom-field.ts';
import { pipelineKind } from '../../pipeline/index.ts';
import { loadKind } from '../../pipeline/load-kind.ts';
import { withSeedOf } from '../../pipeline/workspace.ts';
import { readCustomFields } from '../../steps/ensure-field.ts';
import { type Caller, noteEvents } from '../run/caller.ts';
import { openImpatiently } from '../run/open-client.ts';
import { announceTarget, openTarget, type Site } from '../run/target.ts';
import { assertAllowed } from '../run/variables.ts';
import { prepareWorkDir } from '../run/work-dir.ts';

/** The custom fields of a workspace, and what opens it: `sandbox` or its base URL. */
export interface WorkspaceFields {
  readonly workspace: string;
  readonly fields: readonly CustomField[];
}

/** Asks the workspace of a pipeline for its custom fields; the mapping may still have mistakes. */
export async function readFields(pipelineFile: string, site: Site, caller: Caller): Promise<WorkspaceFields> {
  const { stop, release } = caller.stoppable();
  try {
    const { settings } = await loadKind(pipelineFile, await pipelineKind(pipelineFile));
    if (site.workspace !== 'sandbox') assertAllowed(settings.workspace.tokenEnv);
    prepareWorkDir(site.workDir, (text) => caller.note(text));
    const target = await openTarget(site, withSeedOf(settings.workspace, pipelineFile));
    announceTarget(target, caller);
    const hear = noteEvents((text) => caller.note(text));
    const workspace = openImpatiently(target, settings.limits, stop.signal, hear);
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
