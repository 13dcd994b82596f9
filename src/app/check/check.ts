import { findWorkspaceNumber, hasJournal, openJournalDatabase } from '../../journal/index.ts';
import {
  checkAgainstWorkspace,
  checkColumns,
  compileMapping,
  listFieldsToCreate,
  runMappingExamples,
} from '../../mapping/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { LeftBehindGroup } from '../../model/left-behind.ts';
import type { InputFacts, Source } from '../../model/row.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { readWorkspaceColumns } from '../../sources/workspace/workspace-source.ts';
import type { Workspace } from '../../workspace/index.ts';
import { isLiveWorkspaceInput, listMissingColumnNotes, openInput } from '../run/input.ts';
import { createSourceWorkspaceReader, type SourceWorkspaceOpener } from '../run/live-workspace.ts';
import { addKnownSlugs, readWorkspaceFacts, type WorkspaceFacts } from '../run/workspace-facts.ts';
import { checkImportAccess } from './access.ts';
import {
  createMistakeFinding,
  createNoteFinding,
  createOkFinding,
  type Finding,
  type UnformattedFinding,
} from './finding.ts';
import { checkSourceKeys } from './keys.ts';
import { checkRows, type RowCheckCounts } from './rows.ts';

export interface ImportCheckRequest {
  readonly pipeline: LoadedImportPipeline;
  readonly workDir: string;
  /** The address of the target workspace, as runs record it: its base URL, or `sandbox`; undefined if none is set. */
  readonly target?: string | undefined;
  /** The workspace of an online check; undefined for an offline one. */
  readonly workspace: Workspace | undefined;
  /** The place of that workspace, as the journal records it. */
  readonly place?: string | undefined;
  /** Opens the workspace that the pipeline reads; set for an online check of a pipeline whose input is a workspace. */
  readonly liveSource?: SourceWorkspaceOpener | undefined;
  /** Called with a text whenever the check waits. */
  readonly waiting?: ((text: string) => void) | undefined;
  readonly signal: AbortSignal;
}

/** The result of a check. */
export interface CheckReport {
  /** The options of the source that leave out rows; absent if the rows could not be checked. */
  readonly filters?: readonly string[] | undefined;
  readonly findings: readonly UnformattedFinding[];
  /**
   * The results of the rows; null if they could not be checked: there are mistakes, or the input is a live workspace.
   */
  readonly rows: RowCheckCounts | null;
  /** The known losses of an import before it runs; empty if the rows could not be checked. */
  readonly leftBehind: readonly LeftBehindGroup[];
}

/**
 * Checks an import: the pipeline, the mapping with its examples, the input and, in an online check, the workspace. If
 * all of these are correct, and the input is not a live workspace, checks every row and the source keys, too. Changes
 * nothing.
 */
export async function checkImport(request: ImportCheckRequest): Promise<CheckReport> {
  const { pipeline, workDir, signal } = request;
  const { mapping } = pipeline.import;
  const findings: UnformattedFinding[] = [
    createOkFinding(`pipeline ${pipeline.pipeline}`, { file: pipeline.file }),
    createOkFinding(`mapping ${mapping.mapping.mapping}`, { file: mapping.file }),
    ...examples(pipeline),
  ];
  const looked = await input(request);
  findings.push(...looked.findings);
  const asked = request.workspace && (await online(request, request.workspace));
  findings.push(...(asked?.findings ?? notAsked(pipeline)));
  const { read } = looked;
  if (read === undefined || findings.some(({ verdict }) => verdict === 'wrong')) {
    return { findings, rows: null, leftBehind: [] };
  }
  const checked = await checkRows({ ...read, pipeline, workDir, facts: asked?.facts, signal });
  const map = compileMapping(mapping, asked?.facts);
  findings.push(...(await checkSourceKeys({ ...request, source: read.source, map })));
  return { findings, ...checked };
}

/** Returns a note on what an offline check does not cover. */
function notAsked({ import: { mapping } }: LoadedImportPipeline): Finding[] {
  const { assignee, customFields } = mapping.mapping;
  const open = [
    ...(assignee === undefined ? [] : ['users']),
    ...(Object.values(customFields ?? {}).some(({ type }) => type === 'list') ? ['list values'] : []),
  ];
  if (open.length === 0) return [];
  return [createNoteFinding(`${open.join(' and ')} not checked against the workspace: use check --online`)];
}

function examples(pipeline: LoadedImportPipeline): Finding[] {
  const { mapping } = pipeline.import;
  const results = runMappingExamples(mapping);
  const wrong = results.filter((result) => !result.ok);
  if (wrong.length > 0) {
    return wrong.map((result) => ({
      verdict: 'wrong',
      text: `example: ${result.message}`,
      place: { file: mapping.file, line: result.line },
    }));
  }
  if (results.length === 0) return [createNoteFinding('the mapping has no example tests')];
  return [createOkFinding(`${results.length} example tests pass`)];
}

/** The findings about the input, and the input itself if its rows can be checked. */
interface LookedInput {
  readonly findings: readonly UnformattedFinding[];
  readonly read?: { readonly source: Source; readonly input: InputFacts };
}

async function input(request: ImportCheckRequest): Promise<LookedInput> {
  const { pipeline, workDir, waiting, signal } = request;
  if (isLiveWorkspaceInput(pipeline)) return { findings: await liveInput(request) };
  const source = openInput(pipeline, workDir, waiting);
  let facts: InputFacts;
  try {
    facts = await source.inspect(signal);
  } catch (error) {
    if (!(error instanceof FatalError) || error.reason === 'interrupted') throw error;
    return {
      findings: [{ verdict: 'wrong', text: error.message, place: error.place, next: error.next }],
    };
  }
  const { mapping } = pipeline.import;
  const mistakes =
    facts.columns === null ? [] : checkColumns(mapping, facts.columns, facts.lists, facts.absent);
  const findings: UnformattedFinding[] = [
    createOkFinding(`input ${facts.name}: ${facts.items.toLocaleString('en-US')} rows`),
    ...[...facts.notes, ...listMissingColumnNotes(mapping, facts)].map(createNoteFinding),
  ];
  if (facts.truncated !== undefined) {
    const place = { file: facts.name };
    findings.push({ verdict: 'wrong', text: facts.truncated, place, next: 'Copy or export it again.' });
  }
  findings.push(...mistakes.map((mistake) => createMistakeFinding(mapping.file, mistake)));
  return { findings, read: { source, input: facts } };
}

/**
 * Checks the columns of a live input, which come from its custom fields and its first contacts. An offline check only
 * notes that the input was not read.
 */
async function liveInput({
  pipeline,
  liveSource,
  signal,
}: ImportCheckRequest): Promise<UnformattedFinding[]> {
  if (liveSource === undefined)
    return [
      createNoteFinding('the input is a workspace and was not read: check --online checks its columns'),
    ];
  const { mapping, source } = pipeline.import;
  const workspace = createSourceWorkspaceReader(await liveSource.open(), liveSource, signal);
  try {
    const { columns, lists } = await readWorkspaceColumns(workspace, source.options);
    return [
      createOkFinding(`input ${liveSource.name}: token accepted, ${columns.length} columns`),
      ...listMissingColumnNotes(mapping, { columns, lists }).map(createNoteFinding),
      ...checkColumns(mapping, columns, lists).map((mistake) => createMistakeFinding(mapping.file, mistake)),
    ];
  } finally {
    await workspace.close();
  }
}

async function online(
  { pipeline, workDir, place }: ImportCheckRequest,
  workspace: Workspace,
): Promise<{ readonly findings: readonly UnformattedFinding[]; readonly facts?: WorkspaceFacts }> {
  const access = await checkImportAccess(pipeline, workspace);
  if (access.some(({ denied }) => denied === true)) return { findings: access };
  const { mapping } = pipeline.import;
  const facts = addSlugsOf(await readWorkspaceFacts(workspace, mapping.mapping), workDir, place);
  const fields = facts.customFields;
  const mistakes = checkAgainstWorkspace(mapping, facts);
  const missing = listFieldsToCreate(mapping, fields);
  const findings: UnformattedFinding[] = [
    createOkFinding(`workspace ${workspace.baseUrl}: token accepted, ${fields.length} custom fields`),
    ...access,
    ...mistakes.map((mistake) => createMistakeFinding(mapping.file, mistake)),
    ...missing.map(({ name, dataType }) =>
      createNoteFinding(
        `an import creates the custom field "${name}" (${dataType}) where a row has a value for it`,
      ),
    ),
  ];
  return { findings, facts };
}

/** Returns the facts with the slugs that the journal of the work dir knows, if there is one. */
function addSlugsOf(facts: WorkspaceFacts, workDir: string, place: string | undefined): WorkspaceFacts {
  if (place === undefined || !hasJournal(workDir)) return facts;
  const file = openJournalDatabase(workDir);
  try {
    const workspace = findWorkspaceNumber(file, place);
    return workspace === undefined ? facts : addKnownSlugs(facts, file, workspace);
  } finally {
    file.close();
  }
}
