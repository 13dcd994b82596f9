import type { Command, commandPaths } from '../../src/studio/wire/command.ts';
import type { RequestOf, RouteName } from '../../src/studio/wire/routes.ts';

/** A request of every route, as the page would send it: what the suite of security makes its attempts of. */
export const examples: { readonly [N in RouteName]: RequestOf<N> } = {
  startSession: { code: 'spent' },
  project: {},
  files: {},
  upload: { name: 'people.csv' },
  readYaml: { path: 'pipelines/mine.yaml' },
  writeYaml: { path: 'pipelines/mine.yaml', text: 'pipeline: mine\n', etag: null },
  checkYaml: { path: 'pipelines/mine.yaml', text: 'pipeline: mine\n' },
  commandTarget: { command: { command: 'check', pipeline: 'pipelines/mine.yaml' } },
  startProcess: { command: { command: 'check', pipeline: 'pipelines/mine.yaml' } },
  processes: {},
  process: { id: 'none' },
  checkResult: { id: 'none' },
  stopProcess: { id: 'none' },
  processOutput: { id: 'none' },
  runs: {},
  status: { run: 'none' },
  watchRun: { run: 'none' },
  watchActivity: {},
  stopRun: { run: 'none' },
  nextSteps: { run: 'none' },
  problemRows: { run: 'none', consequence: 'rejected', code: 'email.invalid' },
  report: { run: 'none' },
  history: {},
  exportPipelines: {},
  nights: { pipeline: 'nightly' },
  runVerification: { id: 'none' },
  folderVerification: { id: 'none' },
  undoPreview: { id: 'none' },
  rejects: { run: 'none' },
  correct: { run: 'none', corrections: { '3': { Email: 'ada@example.test' } } },
  uncertain: { run: 'none' },
  answer: { run: 'none', answers: { one: 'yes' } },
  watchPlans: { pipeline: 'pipelines/mine.yaml' },
  plan: { pipeline: 'pipelines/mine.yaml', path: 'plan.db' },
  planState: { pipeline: 'pipelines/mine.yaml', path: 'plan.db' },
  planLines: { path: 'plan.db', filter: {}, from: 0, count: 10 },
  planRow: { path: 'plan.db', seq: 0 },
  rehearsal: { id: 'none' },
  mergeRuns: {},
  mergeProgress: { run: 'none' },
  mergePairs: { run: 'none', after: null, count: 10 },
  decidePair: { run: 'none', at: { seq: 0, pair: 0 }, answer: 'yes', result: {} },
};

const pipeline = 'pipelines/mine.yaml';

/** By each field of a command that names a file or a folder: a command that has it. */
export const withPath: Readonly<Record<(typeof commandPaths)[number], Command>> = {
  pipeline: { command: 'check', pipeline },
  source: { command: 'check', pipeline, source: 'people.csv' },
  approve: { command: 'import', pipeline, approve: 'merge-proposals.csv' },
  plan: { command: 'import', pipeline, plan: 'plan.db' },
  out: { command: 'plan', pipeline, out: 'plan.db' },
  csv: { command: 'plan', pipeline, csv: 'plan.csv' },
  from: { command: 'retry', run: 'none', from: 'rejects.csv' },
  decided: { command: 'retry', run: 'none', decided: 'uncertain.csv' },
  folder: { command: 'verify', folder: 'exports' },
  file: { command: 'draft', file: 'people.csv' },
};
