import {
  findWorkspacePlace,
  type JournalDatabase,
  type RunRecord,
  resolveRunMappingName,
} from '../../../journal/index.ts';

/** What a run was asked to do, with checksums that prove what it read. */
export interface RunParameters {
  /** The path of the pipeline's YAML file. */
  readonly pipelineFile: string;
  /** The input that was read. */
  readonly input: {
    /** The path of the input, or the name of its workspace. */
    readonly name: string;
    /** The checksum of its bytes and of the settings with which they were read. */
    readonly fingerprint: string;
  };
  /** The mapping as it was when the run began. */
  readonly mapping: {
    /** The name of the mapping. */
    readonly name: string;
    /** The SHA-256 of the mapping file, hexadecimal. */
    readonly sha256: string;
  };
  /** The base URL of the target workspace, or sandbox:ID. */
  readonly workspace: string;
  /** The path of the plan that the import followed exactly; null where there was none. */
  readonly plan: string | null;
}

export function buildRunParameters(file: JournalDatabase, run: RunRecord): RunParameters {
  return {
    pipelineFile: run.file,
    input: { name: run.inputName, fingerprint: run.input },
    mapping: { name: resolveRunMappingName(run), sha256: run.mapping },
    workspace: findWorkspacePlace(file, run.workspace) ?? '',
    plan: run.plan ?? null,
  };
}
