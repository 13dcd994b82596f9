import { outcomes } from '../../model/outcome.ts';
import { commandOn, pipelineArgument } from '../command.ts';
import { assertWhole } from '../number-flags.ts';
import { importOptions } from './import.ts';

export const plan = commandOn(
  {
    usage: 'plan <pipeline>',
    summary: 'Show exactly what an import would do; sends nothing',
    argument: pipelineArgument,
    options: {
      ...importOptions,
      sample: {
        type: 'number',
        requiresArg: true,
        describe: 'Show that many rows with all their changes (default: 5)',
      },
      only: { choices: outcomes, requiresArg: true, describe: 'Show rows with this outcome' },
      row: { type: 'number', requiresArg: true, describe: 'Show the row in this line of the input' },
      diff: { type: 'boolean', default: false, describe: 'Show changes as lines with - and +' },
      out: {
        type: 'string',
        requiresArg: true,
        describe: 'Keep the whole plan in this file (SQLite), for import --plan',
      },
      csv: { type: 'string', requiresArg: true, describe: 'Keep every change as a line of this CSV file' },
    },
    groups: {
      'What to plan:': Object.keys(importOptions),
      'What to show and keep:': ['sample', 'only', 'row', 'diff', 'out', 'csv'],
    },
    examples: [
      ['$0 plan pipelines/mine.yaml --out plan.db', 'kept, to import exactly that'],
      ['$0 plan pipelines/mine.yaml --only updated --sample 20 --diff', 'twenty updates, field by field'],
      ['$0 plan pipelines/mine.yaml --row 17', 'what becomes of line 17'],
    ],
  },
  async ({ pipeline, sample, only, row, diff, out, csv, ...flags }, screen) => {
    assertWhole('limit', flags.limit, 1);
    assertWhole('sample', sample, 0);
    assertWhole('row', row, 1);
    const { chooseRows } = await import('../../app/import/row-choice.ts');
    const choice = await chooseRows(flags);
    const { runPlan } = await import('../../app/plan/plan-command.ts');
    const show = { sample, choice: { outcome: only, line: row }, diff, out, csv };
    return await runPlan({ ...flags, ...choice, pipelineFile: pipeline }, show, screen);
  },
);
