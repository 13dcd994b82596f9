import type { RunRecord } from '../../journal/index.ts';

/** The texts of a run's report page that depend on its kind. */
export interface RunKindLabels {
  readonly name: string;
  /** Returns the text below the headline. */
  readonly lead: (from: string, into: string) => string;
  readonly input: string;
  readonly workspace: string;
  /** The sentence that introduces the command for a verification. */
  readonly proof: string;
}

/** The texts of each kind of run. */
export const runKindLabels: Readonly<Record<RunRecord['kind'], RunKindLabels>> = {
  import: {
    name: 'import',
    lead: (from, into) => `from ${from} into ${into}`,
    input: 'Input',
    workspace: 'Into workspace',
    proof:
      'Not verified yet. This command reads back every contact that was written and compares it, value by value; it changes nothing, and its result then appears here',
  },
  undo: {
    name: 'undo',
    lead: (from, into) => `of ${from} in ${into}`,
    input: 'Run',
    workspace: 'In workspace',
    proof:
      'Not verified yet. This command reads back every contact that was put back and compares it, value by value; it changes nothing',
  },
  export: {
    name: 'export',
    lead: (from, into) => `from ${from} into ${into}`,
    input: 'From workspace',
    workspace: 'Into folder',
    proof:
      'The manifest lists every file with its SHA-256 checksum. This command compares the files with it; it changes nothing',
  },
};
