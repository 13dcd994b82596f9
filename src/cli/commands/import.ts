import {
  defineCommandWithArgument,
  metricsOption,
  pipelineArgument,
  sourceOption,
  yesOption,
} from '../command.ts';
import { assertWholeNumber } from '../number-flags.ts';

/** The options that import, plan and rehearse share. */
export const importCommandOptions = {
  fresh: {
    type: 'boolean',
    default: false,
    describe: 'Start a new run instead of continuing an unfinished one',
  },
  limit: {
    type: 'number',
    requiresArg: true,
    describe: 'Import only the first N rows; the next import continues from there',
  },
  full: {
    type: 'boolean',
    default: false,
    describe: 'Compare every row with the workspace, even if nothing changed since the last run',
  },
  approve: {
    type: 'string',
    requiresArg: true,
    describe: 'Apply only what is approved in this merge-proposals.csv, or answered in this same-person.csv',
  },
  deferred: {
    type: 'boolean',
    default: false,
    describe: 'Run only the steps that the pipeline defers',
  },
  source: sourceOption,
} as const;

export const importCommand = defineCommandWithArgument(
  {
    usage: 'import <pipeline>',
    summary: 'Import; continues an unfinished run of the same pipeline',
    argument: pipelineArgument,
    options: {
      ...importCommandOptions,
      'dry-run': {
        type: 'boolean',
        default: false,
        describe: 'Send nothing; show what the import would do, as "plan" does',
      },
      yes: yesOption,
      plan: {
        type: 'string',
        requiresArg: true,
        describe: 'Import exactly what this plan (plan --out) contains, and nothing that has changed since',
      },
      metrics: metricsOption,
    },
    examples: [
      ['$0 import pipelines/mine.yaml --workspace sandbox', 'a rehearsal'],
      ['$0 import pipelines/mine.yaml --limit 20', 'the first 20 rows'],
      ['$0 import pipelines/mine.yaml --plan plan.db', 'exactly what was planned'],
      ['$0 import pipelines/mine.yaml --approve merge-proposals.csv', 'the approved merges'],
    ],
  },
  async ({ pipeline, ...flags }, screen) => {
    assertWholeNumber('limit', flags.limit, 1);
    const { readRowSelectionOfPlan: choiceOfPlan, resolveRowSelection } = await import(
      '../../app/import/row-choice.ts'
    );
    const choice = await resolveRowSelection(flags);
    const planned = flags.plan === undefined ? {} : await choiceOfPlan(flags.plan, flags);
    const asked = { ...flags, ...choice, ...planned, pipelineFile: pipeline };
    if (flags.dryRun)
      return await (await import('../../app/plan/plan-command.ts')).runPlanCommand(
        asked,
        { choice: {}, diff: false },
        screen,
      );
    return await (await import('../../app/import/import-command.ts')).runImportCommand(asked, screen);
  },
);
