import {
  checkColumns,
  checkWorkspace,
  fieldsToCreate,
  type Mistake,
  runExamples,
} from '../../mapping/index.ts';
import { FatalError, type Place } from '../../model/fatal-error.ts';
import type { InputFacts } from '../../model/row.ts';
import type { Workspace } from '../../workspace/index.ts';
import { lackingColumns, openInput } from '../import/input.ts';
import { readFacts } from '../import/workspace-facts.ts';
import type { LoadedPipeline } from '../pipeline/index.ts';

/** One thing that was looked at. */
export interface Finding {
  readonly verdict: 'ok' | 'wrong' | 'note';
  readonly text: string;
  readonly place?: Place | undefined;
  /** What to do about it, where that is known. */
  readonly next?: string | undefined;
}

export interface CheckRequest {
  readonly pipeline: LoadedPipeline;
  readonly workDir: string;
  /** Opens the workspace for an online check, undefined for an offline one. */
  readonly workspace: Workspace | undefined;
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

async function input({ pipeline, workDir, signal }: CheckRequest): Promise<Finding[]> {
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

async function online(pipeline: LoadedPipeline, workspace: Workspace): Promise<Finding[]> {
  const { mapping } = pipeline.import;
  const facts = await readFacts(workspace, mapping.mapping);
  const fields = facts.customFields;
  const mistakes = checkWorkspace(mapping, facts);
  const missing = fieldsToCreate(mapping, fields);
  return [
    {
      verdict: 'ok',
      text: `workspace ${workspace.baseUrl}: the token passes, ${fields.length} custom fields`,
    },
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

function wrong(file: string, { line, column, key, reason }: Mistake): Finding {
  return { verdict: 'wrong', text: reason, place: { file, line, column, key } };
}
