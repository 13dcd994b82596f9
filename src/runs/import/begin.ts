import {
  type Binding,
  forgetCreated,
  type JournalFile,
  type RunRecord,
  recogniseWorkspace,
  renewCreated,
} from '../../journal/index.ts';
import { checkWorkspace } from '../../mapping/index.ts';
import type { CustomField } from '../../model/custom-field.ts';
import type { InputFacts, Source } from '../../model/row.ts';
import { readCustomFields } from '../../operations/ensure-field.ts';
import type { Workspace } from '../../workspace/index.ts';
import type { LoadedPipeline } from '../pipeline/index.ts';
import { bindRun } from './bind.ts';
import { checkInput, openInput } from './input.ts';
import type { ImportRequest } from './request.ts';

/** Longer than any request waits for the workspace between its intent and its leaving. */
const longestWaitMs = 60 * 60_000;

/** By then whoever was created can be read, however patient `limits.settle` is. */
const rememberCreatedMs = 24 * 60 * 60_000;

/** An import that may begin with its rows: everything was read, checked and bound. */
export interface Begun {
  readonly source: Source;
  readonly run: RunRecord;
  readonly continued: boolean;
  readonly fields: readonly CustomField[];
}

/**
 * Reads the input once, looks at the workspace, and binds the run to both; throws a FatalError for whatever an import
 * would stumble over before its first row.
 */
export async function begin(request: ImportRequest, file: JournalFile): Promise<Begun> {
  const { pipeline, workspace, place, target, clock, stop, listen } = request;
  const source = openInput(pipeline, request.workDir);
  listen({ kind: 'inspecting', name: pipeline.import.source.path });
  const facts = await source.inspect(stop.signal);
  for (const text of facts.notes) listen({ kind: 'note', text });
  checkInput(pipeline, facts);
  const fields = await readCustomFields(workspace);
  const users = await readUserIds(workspace);
  const number = recogniseWorkspace(file, { place, users, fields: fields.map((field) => field.id) });
  refuseMistakes(pipeline, fields);
  const now = clock.now();
  forgetCreated(file, number, now - rememberCreatedMs);
  renewCreated(file, number, now - longestWaitMs, now);
  const binding = bindingOf(pipeline, facts, number, target);
  const { run, continued } = bindRun(file, binding, request.fresh, clock, request.command);
  return { source, run, continued, fields };
}

function bindingOf(pipeline: LoadedPipeline, facts: InputFacts, workspace: number, target: string): Binding {
  return {
    kind: 'import',
    pipeline: pipeline.pipeline,
    file: pipeline.file,
    workspace,
    target,
    mapping: pipeline.import.mapping.fingerprint,
    input: facts.fingerprint,
    inputName: facts.name,
    items: facts.items,
  };
}

async function readUserIds(workspace: Workspace): Promise<number[]> {
  const ids: number[] = [];
  for await (const page of workspace.paginate(workspace.users.list))
    ids.push(...page.items.map((user) => user.id));
  return ids;
}

function refuseMistakes({ import: { mapping } }: LoadedPipeline, fields: readonly CustomField[]): void {
  const mistakes = checkWorkspace(mapping, { customFields: fields });
  if (mistakes.length > 0) throw mapping.refusal(mistakes);
}
