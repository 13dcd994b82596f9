import type { RunRecord } from '../../journal/index.ts';

/** What the page of a run says by its kind. */
export interface KindWords {
  readonly name: string;
  /** Below the headline. */
  readonly lead: (from: string, into: string) => string;
  readonly input: string;
  readonly workspace: string;
  /** How to prove that it did what it says. */
  readonly proof: string;
}

/** Every kind of run; another one is another entry. */
export const kindWords: Readonly<Record<RunRecord['kind'], KindWords>> = {
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
