import {
  findWorkspacePlace,
  type JournalFile,
  type RunRecord,
  resolveRunMappingName,
} from '../../../journal/index.ts';

/** What a run was asked to do, with checksums that prove what it read. */
export interface RequestedOptions {
  /** The pipeline's YAML. */
  readonly pipelineFile: string;
  /** What was read. */
  readonly input: {
    /** Its path. */
    readonly name: string;
    /** Of its bytes and how they were read. */
    readonly fingerprint: string;
  };
  /** The mapping as it was then. */
  readonly mapping: {
    /** Its name. */
    readonly name: string;
    /** Of its file. */
    readonly sha256: string;
  };
  /** Its base URL, or sandbox:ID. */
  readonly workspace: string;
  /** The plan of which it did exactly what it has; null where there was none. */
  readonly plan: string | null;
}

export function buildRequestedOptions(file: JournalFile, run: RunRecord): RequestedOptions {
  return {
    pipelineFile: run.file,
    input: { name: run.inputName, fingerprint: run.input },
    mapping: { name: resolveRunMappingName(run), sha256: run.mapping },
    workspace: findWorkspacePlace(file, run.workspace) ?? '',
    plan: run.plan ?? null,
  };
}
