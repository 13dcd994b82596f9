import {
  findLastRunByKeyNamespace,
  hasJournal,
  type JournalDatabase,
  openJournalDatabase,
} from '../../journal/index.ts';
import { toCommand } from '../../model/command.ts';
import type { MappingResult } from '../../model/draft.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Row, Source } from '../../model/row.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { countReusedKeys, createRememberedRowLookup } from '../import/key-count.ts';
import { resolveKeyNamespace } from '../import/key-memory.ts';
import { createNoteFinding, type UnformattedFinding } from './finding.ts';

/** The input of a check of source keys. */
export interface KeyCheckRequest {
  readonly pipeline: LoadedImportPipeline;
  readonly workDir: string;
  /** The address of the target workspace, as runs record it: its base URL, or `sandbox`; undefined if none is set. */
  readonly target?: string | undefined;
  readonly source: Source;
  readonly map: (row: Row) => MappingResult;
  readonly signal: AbortSignal;
}

/**
 * Checks that the keys of the input are not those of another system: reports an error if many belong to other people in
 * earlier imports. Returns no findings unless the mapping has a key, the work dir a journal, and the policy
 * `samePerson: evidence`.
 */
export async function checkSourceKeys(request: KeyCheckRequest): Promise<readonly UnformattedFinding[]> {
  const { pipeline, workDir } = request;
  const { mapping, policy } = pipeline.import;
  const isAsked = mapping.mapping.key !== undefined && policy.samePerson === 'evidence';
  if (!isAsked || !hasJournal(workDir)) return [];
  const file = openJournalDatabase(workDir);
  try {
    return await keysIn(request, file);
  } finally {
    file.close();
  }
}

async function keysIn(
  { pipeline, target, source, map, signal }: KeyCheckRequest,
  file: JournalDatabase,
): Promise<readonly UnformattedFinding[]> {
  const {
    mapping,
    source: { system },
  } = pipeline.import;
  const { mapping: name, identify } = mapping.mapping;
  const workspace = (
    findLastRunByKeyNamespace(file, system ?? name, target) ?? findLastRunByKeyNamespace(file, name, target)
  )?.workspace;
  if (workspace === undefined) return [];
  const count = (memory: string) =>
    countReusedKeys(
      source,
      map,
      createRememberedRowLookup(file, { workspace, mapping: memory }, identify),
      signal,
    );
  const decided = await resolveKeyNamespace(file, { workspace, mapping: name, system }, count);
  if (decided.note !== undefined) return [createNoteFinding(decided.note)];
  const counted = await count(decided.memory);
  try {
    counted.assertSystem(pipeline.file, system ?? name, toCommand);
    return [];
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    return [{ verdict: 'wrong', text: error.message, place: error.place, next: error.next }];
  }
}
