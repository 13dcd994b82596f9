import { checkColumns, checkWorkspace, fieldsToCreate, runExamples } from '../../mapping/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { InputFacts } from '../../model/row.ts';
import { workspaceColumns } from '../../sources/workspace/columns.ts';
import type { Workspace } from '../../workspace/index.ts';
import { isLive, lackingColumns, openInput } from '../import/input.ts';
import { type LiveSource, liveWorkspace } from '../import/live-workspace.ts';
import { readFacts } from '../import/workspace-facts.ts';
import type { LoadedPipeline } from '../pipeline/index.ts';
import { importAccess } from './access.ts';
import { type Finding, wrong } from './finding.ts';

export interface CheckRequest {
  readonly pipeline: LoadedPipeline;
  readonly workDir: string;
  /** Opens the workspace for an online check, undefined for an offline one. */
  readonly workspace: Workspace | undefined;
  /** The workspace that is read, for an online check of a pipeline whose input is one. */
  readonly liveSource?: LiveSource | undefined;
  readonly signal: AbortSignal;
}

/** Looks at everything an import would stumble over before its first row; sends nothing that changes anything. */
export async function check(request: CheckRequest): Promise<readonly Finding[]> {
  const { pipeline } = request;
  const { mapping } = pipeline.import;
  const findings: Finding[] = [
    { verdict: 'ok', text: `pipeline ${pipeline.pipeline}`, place: { file: pipeline.file } },
    { verdict: 'ok', text: `mapping ${mapping.mapping.mapping}`, place: { file: mapping.file } },
  ];
  findings.push(...examples(pipeline));
  findings.push(...(await input(request)));
  if (request.workspace !== undefined) findings.push(...(await online(pipeline, request.workspace)));
  return findings;
}

function examples(pipeline: LoadedPipeline): Finding[] {
  const { mapping } = pipeline.import;
  const results = runExamples(mapping);
  const wrong = results.filter((result) => !result.ok);
  if (wrong.length > 0) {
    return wrong.map((result) => ({
      verdict: 'wrong',
      text: `example: ${result.message}`,
      place: { file: mapping.file, line: result.line },
    }));
  }
  const text =
    results.length === 0 ? 'the mapping has no example tests' : `${results.length} example tests pass`;
  return [{ verdict: results.length === 0 ? 'note' : 'ok', text }];
}

async function input(request: CheckRequest): Promise<Finding[]> {
  const { pipeline, workDir, signal } = request;
  if (isLive(pipeline)) return await liveInput(request);
  let facts: InputFacts;
  try {
    facts = await openInput(pipeline, workDir).inspect(signal);
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    return [{ verdict: 'wrong', text: error.message, place: error.place, next: error.next }];
  }
  const { mapping } = pipeline.import;
  const mistakes = facts.columns === null ? [] : checkColumns(mapping, facts.columns, facts.lists);
  return [
    { verdict: 'ok', text: `input ${facts.name}: ${facts.items.toLocaleString('en-US')} rows` },
    ...[...facts.notes, ...lackingColumns(mapping, facts)].map(
      (text) => ({ verdict: 'note', text }) as const,
    ),
    ...mistakes.map((mistake) => wrong(mapping.file, mistake)),
  ];
}

/** A workspace that is read is not copied for a check: its columns are known from its custom fields and first contacts. */
async function liveInput({ pipeline, liveSource, signal }: CheckRequest): Promise<Finding[]> {
  if (liveSource === undefined) {
    const text =
      'the input is a workspace and was not asked; check --online looks whether it has the columns';
    return [{ verdict: 'note', text }];
  }
  const { mapping, source } = pipeline.import;
  const workspace = liveWorkspace(await liveSource.open(), liveSource, signal);
  try {
    const { columns, lists } = await workspaceColumns(workspace, source.options);
    const text = `input ${liveSource.name}: token accepted, ${columns.length} columns`;
    return [
      { verdict: 'ok', text },
      ...lackingColumns(mapping, { columns, lists }).map(
        (note) => ({ verdict: 'note', text: note }) as const,
      ),
      ...checkColumns(mapping, columns, lists).map((mistake) => wrong(mapping.file, mistake)),
    ];
  } finally {
    await workspace.close();
  }
}

async function online(pipeline: LoadedPipeline, workspace: Workspace): Promise<Finding[]> {
  const access = await importAccess(pipeline, workspace);
  if (access.some(({ denied }) => denied === true)) return access;
  const { mapping } = pipeline.import;
  const facts = await readFacts(workspace, mapping.mapping);
  const fields = facts.customFields;
  const mistakes = checkWorkspace(mapping, facts);
  const missing = fieldsToCreate(mapping, fields);
  return [
    {
      verdict: 'ok',
      text: `workspace ${workspace.baseUrl}: token accepted, ${fields.length} custom fields`,
    },
    ...access,
    ...mistakes.map((mistake) => wrong(mapping.file, mistake)),
    ...missing.map(
      (field) =>
        ({
          verdict: 'note',
          text: `an import will create the custom field "${field.name}" (${field.dataType})`,
        }) as const,
    ),
  ];
}
