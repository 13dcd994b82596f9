import type { CustomField } from '../../model/custom-field.ts';
import { AccessDeniedError } from '../../model/fatal-error.ts';
import type { User } from '../../model/user.ts';
import { readPipelineKind } from '../../pipeline/index.ts';
import { loadPipelineOfKind } from '../../pipeline/load-kind.ts';
import { withResolvedSeedPath } from '../../pipeline/workspace.ts';
import { alignColumns } from '../../report/layout.ts';
import { readCustomFields } from '../../steps/ensure-field.ts';
import type { Workspace } from '../../workspace/index.ts';
import { type CommandCallbacks, createNoteListener } from '../run/caller.ts';
import { openInteractiveClient } from '../run/open-client.ts';
import { announceTarget, openWorkspaceTarget } from '../run/target.ts';
import { createErrorRethrower, type PipelineCommandContext } from '../run/terminal/next-hint.ts';
import { printWarning, type Screen } from '../run/terminal/screen.ts';
import { abortOnStopSignals } from '../run/terminal/stop-signals.ts';
import { assertEnvVariableAllowed } from '../run/variables.ts';
import { prepareWorkDir } from '../run/work-dir.ts';
import { readUsers } from '../run/workspace-facts.ts';

interface FieldsFlags extends PipelineCommandContext {
  /** True to list users and stages, too. */
  readonly all: boolean;
}

/** Prints the names in a workspace that a mapping can use; returns the exit code. */
export async function runFieldsCommand(flags: FieldsFlags, screen: Screen): Promise<number> {
  const caller = {
    note: (text: string) => screen.note(text),
    warn: printWarning,
    stoppable: abortOnStopSignals,
  };
  const words = ['fields', flags.pipelineFile, ...(flags.all ? ['--all'] : [])];
  const found = await readNames(flags.pipelineFile, flags, caller).catch(createErrorRethrower(flags, words));
  const fields = found.fields.map(({ name, dataType, allowedValues }) => ({
    ...{ name, dataType, allowedValues: allowedValues ?? [] },
  }));
  const users = found.users?.map(({ id, firstName, lastName, email }) => ({
    id,
    firstName,
    lastName,
    email,
  }));
  const { workspace, stages } = found;
  const text = () =>
    [formatFields(fields), ...(flags.all ? [formatUsers(users), formatStages(stages)] : [])].join('\n\n');
  screen.result(text, {
    ...{ workspace, fields },
    ...(flags.all && { users: users ?? null, stages: stages ?? null }),
  });
  return 0;
}

function formatFields(
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

function formatUsers(users: readonly Omit<User, 'role'>[] | undefined): string {
  if (users === undefined) return 'The token may not list the users.';
  if (users.length === 0) return 'The workspace has no users.';
  const lines = users.map(({ id, firstName, lastName, email }) => [
    `${firstName} ${lastName}`.trim(),
    email,
    `${id}`,
  ]);
  return alignColumns([['user', 'e-mail', 'id'], ...lines]).join('\n');
}

function formatStages(stages: readonly string[] | undefined): string {
  if (stages === undefined) return 'The token may not list the contacts, so their stages are not known.';
  const seen = `Lifecycle stages of the first ${mostContacts} contacts`;
  return stages.length === 0 ? `${seen}: none.` : `${seen}:\n${stages.join('\n')}`;
}

/** The names in a workspace that a mapping can use, and the name that opens it: `sandbox` or its base URL. */
interface WorkspaceNames {
  readonly workspace: string;
  readonly fields: readonly CustomField[];
  /** Undefined where they were not asked for, or the token may not list them. */
  readonly users: readonly User[] | undefined;
  /** As seen on contacts, because the interface does not list them; undefined as for `users`. */
  readonly stages: readonly string[] | undefined;
}

/** The number of contacts whose stages are read: five pages of 99. */
const mostContacts = 495;

async function readStages(workspace: Workspace): Promise<readonly string[]> {
  const stages = new Set<string>();
  let read = 0;
  for await (const { items } of workspace.paginate(workspace.contacts.list)) {
    for (const { lifecycle } of items) if (lifecycle) stages.add(lifecycle);
    read += items.length;
    if (read >= mostContacts) break;
  }
  return [...stages].sort();
}

/** Returns the result of a read; undefined if the token lacks permission for it. */
async function ifAllowed<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AccessDeniedError) return undefined;
    throw error;
  }
}

/** Reads the names from the workspace of a pipeline; the mapping may still have mistakes. */
async function readNames(
  pipelineFile: string,
  site: FieldsFlags,
  caller: CommandCallbacks,
): Promise<WorkspaceNames> {
  const { stop, release } = caller.stoppable();
  try {
    const { settings } = await loadPipelineOfKind(pipelineFile, await readPipelineKind(pipelineFile));
    if (site.workspace !== 'sandbox') assertEnvVariableAllowed(settings.workspace.tokenEnv, site.invocation);
    prepareWorkDir(site.workDir, (text) => caller.note(text));
    const target = await openWorkspaceTarget(site, withResolvedSeedPath(settings.workspace, pipelineFile));
    announceTarget(target, caller);
    const hear = createNoteListener((text) => caller.note(text));
    const workspace = openInteractiveClient(target, settings.limits, stop.signal, hear);
    try {
      const fields = await readCustomFields(workspace);
      const users = site.all ? await ifAllowed(readUsers(workspace)) : undefined;
      const stages = site.all ? await ifAllowed(readStages(workspace)) : undefined;
      return { workspace: target.name, fields, users, stages };
    } finally {
      await workspace.close(0);
      await target.close();
    }
  } finally {
    release();
  }
}
