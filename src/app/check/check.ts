import {
  checkColumns,
  checkWorkspace,
  compileMapping,
  fieldsToCreate,
  runExamples,
} from '../../mapping/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { LeftBehind } from '../../model/left-behind.ts';
import type { InputFacts, Source } from '../../model/row.ts';
import type { LoadedPipeline } from '../../pipeline/index.ts';
import { workspaceColumns } from '../../sources/workspace/workspace-source.ts';
import type { Workspace } from '../../workspace/index.ts';
import { isLive, lackingColumns, openInput } from '../run/input.ts';
import { type LiveSource, liveWorkspace } from '../run/live-workspace.ts';
import { readFacts, type WorkspaceFacts } from '../run/workspace-facts.ts';
import { importAccess } from './access.ts';
import { type Finding, note, ok, wrong } from './finding.ts';
import { checkKeys } from './keys.ts';
import { type CheckedRows, checkRows } from './rows.ts';

export interface CheckRequest {
  readonly pipeline: LoadedPipeline;
  readonly workDir: string;
  /** What runs call the workspace that is imported into; undefined where none is named. */
  readonly target?: string | undefined;
  /** Opens the workspace for an online check, undefined for an offline one. */
  readonly workspace: Workspace | undefined;
  /** The workspace that is read, for an online check of a pipeline whose input is one. */
  readonly liveSource?: LiveSource | undefined;
  /** Hears what is waited for. */
  readonly waiting?: ((text: string) => void) | undefined;
  readonly signal: AbortSignal;
}

/** What a check has found. */
export interface Checked {
  readonly findings: readonly Finding[];
  /** What becomes of the rows; null where they could not be looked at: there are mistakes, or the input is a live workspace. */
  readonly rows: CheckedRows | null;
  /** What an import leaves behind, as far as that is known before it; empty where the rows could not be looked at. */
  readonly leftBehind: readonly LeftBehind[];
}

/** Looks at everything an import would stumble over before its first request, every row included; changes nothing. */
export async function check(request: CheckRequest): Promise<Checked> {
  const { pipeline, workDir, signal } = request;
  const { mapping } = pipeline.import;
  const findings: Finding[] = [
    ok(`pipeline ${pipeline.pipeline}`, { file: pipeline.file }),
    ok(`mapping ${mapping.mapping.mapping}`, { file: mapping.file }),
    ...examples(pipeline),
  ];
  const looked = await input(request);
  findings.push(...looked.findings);
  const asked = request.workspace && (await online(pipeline, request.workspace));
  findings.push(...(asked?.findings ?? notAsked(pipeline)));
  const { read } = looked;
  if (read === undefined || findings.some(({ verdict }) => verdict === 'wrong')) {
    return { findings, rows: null, leftBehind: [] };
  }
  const checked = await checkRows({ ...read, pipeline, workDir, facts: asked?.facts, signal });
  const map = compileMapping(mapping, asked?.facts);
  findings.push(...(await checkKeys({ ...request, source: read.source, map })));
  return { findings, ...checked };
}

/** What an offline check leaves open. */
function notAsked({ import: { mapping } }: LoadedPipeline): Finding[] {
  const { assignee, customFields } = mapping.mapping;
  const open = [
    ...(assignee === undefined ? [] : ['users']),
    ...(Object.values(customFields ?? {}).some(({ type }) => type === 'list') ? ['list values'] : []),
  ];
  if (open.length === 0) return [];
  return [note(`${open.join(' and ')} not checked against the workspace: use check --online`)];
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
  if (results.length === 0) return [note('the mapping has no example tests')];
  return [ok(`${results.length} example tests pass`)];
}

/** What was found out of the input, and the input itself where its rows can be looked at. */
interface LookedInput {
  readonly findings: readonly Finding[];
  readonly read?: { readonly source: Source; readonly input: InputFacts };
}

async function input(request: CheckRequest): Promise<LookedInput> {
  const { pipeline, workDir, waiting, signal } = request;
  if (isLive(pipeline)) return { findings: await liveInput(request) };
  const source = openInput(pipeline, workDir, waiting);
  let facts: InputFacts;
  try {
    facts = await source.inspect(signal);
  } catch (error) {
    if (!(error instanceof FatalError) || error.reason === 'interrupted') throw error;
    return { findings: [{ verdict: 'wrong', text: error.message, place: error.place, next: error.next }] };
  }
  const { mapping } = pipeline.import;
  const mistakes =
    facts.columns === null ? [] : checkColumns(mapping, facts.columns, facts.lists, facts.absent);
  const findings: Finding[] = [
    ok(`input ${facts.name}: ${facts.items.toLocaleString('en-US')} rows`),
    ...[...facts.notes, ...lackingColumns(mapping, facts)].map(note),
  ];
  if (facts.truncated !== undefined) {
    const place = { file: facts.name };
    findings.push({ verdict: 'wrong', text: facts.truncated, place, next: 'Copy or export it again.' });
  }
  findings.push(...mistakes.map((mistake) => wrong(mapping.file, mistake)));
  return { findings, read: { source, input: facts } };
}

/** A workspace that is read is not copied for a check: its columns are known from its custom fields and first contacts. */
async function liveInput({ pipeline, liveSource, signal }: CheckRequest): Promise<Finding[]> {
  if (liveSource === undefined)
    return [note('the input is a workspace and was not read: check --online checks its columns')];
  const { mapping, source } = pipeline.import;
  const workspace = liveWorkspace(await liveSource.open(), liveSource, signal);
  try {
    const { columns, lists } = await workspaceColumns(workspace, source.options);
    return [
      ok(`input ${liveSource.name}: token accepted, ${columns.length} columns`),
      ...lackingColumns(mapping, { columns, lists }).map(note),
      ...checkColumns(mapping, columns, lists).map((mistake) => wrong(mapping.file, mistake)),
    ];
  } finally {
    await workspace.close();
  }
}

async function online(
  pipeline: LoadedPipeline,
  workspace: Workspace,
): Promise<{ readonly findings: readonly Finding[]; readonly facts?: WorkspaceFacts }> {
  const access = await importAccess(pipeline, workspace);
  if (access.some(({ denied }) => denied === true)) return { findings: access };
  const { mapping } = pipeline.import;
  const facts = await readFacts(workspace, mapping.mapping);
  const fields = facts.customFields;
  const mistakes = checkWorkspace(mapping, facts);
  const missing = fieldsToCreate(mapping, fields);
  const findings: Finding[] = [
    ok(`workspace ${workspace.baseUrl}: token accepted, ${fields.length} custom fields`),
    ...access,
    ...mistakes.map((mistake) => wrong(mapping.file, mistake)),
    ...missing.map(({ name, dataType }) =>
      note(`an import creates the custom field "${name}" (${dataType}) where a row has a value for it`),
    ),
  ];
  return { findings, facts };
}
