import { FatalError } from '../../model/fatal-error.ts';
import { outcomes } from '../../model/outcome.ts';
import { parseRowLine, type RowLine } from '../../model/row-place.ts';
import { defineCommandWithArgument, pipelineArgument } from '../command.ts';
import { assertWholeNumber } from '../number-flags.ts';
import { importCommandOptions } from './import.ts';

export const planCommand = defineCommandWithArgument(
  {
    usage: 'plan <pipeline>',
    summary: 'Show exactly what an import would do; sends nothing',
    argument: pipelineArgument,
    options: {
      ...importCommandOptions,
      sample: {
        type: 'number',
        requiresArg: true,
        describe: 'Show that many rows with all their changes (default: 5)',
      },
      only: { choices: outcomes, requiresArg: true, describe: 'Show rows with this outcome' },
      row: {
        type: 'string',
        requiresArg: true,
        describe: 'Show the row in this line of the input; "42, row 3" is the third that begins in line 42',
      },
      diff: { type: 'boolean', default: false, describe: 'Show changes as lines with - and +' },
      out: {
        type: 'string',
        requiresArg: true,
        describe: 'Keep the whole plan in this file (SQLite), for import --plan',
      },
      csv: { type: 'string', requiresArg: true, describe: 'Keep every change as a line of this CSV file' },
    },
    groups: {
      'What to plan:': Object.keys(importCommandOptions),
      'What to show and keep:': ['sample', 'only', 'row', 'diff', 'out', 'csv'],
    },
    examples: [
      ['$0 plan pipelines/mine.yaml --out plan.db', 'kept, to import exactly that'],
      ['$0 plan pipelines/mine.yaml --only updated --sample 20 --diff', 'twenty updates, field by field'],
      ['$0 plan pipelines/mine.yaml --row 17', 'what happens to line 17'],
    ],
  },
  async ({ pipeline, sample, only, row, diff, out, csv, ...flags }, screen) => {
    assertWholeNumber('limit', flags.limit, 1);
    assertWholeNumber('sample', sample, 0);
    const line = placeOf(row);
    const { resolveRowSelection } = await import('../../app/import/row-choice.ts');
    const choice = await resolveRowSelection(flags);
    const { runPlanCommand } = await import('../../app/plan/plan-command.ts');
    const show = { sample, choice: { outcome: only, line }, diff, out, csv };
    return await runPlanCommand({ ...flags, ...choice, pipelineFile: pipeline }, show, screen);
  },
);

/** Returns the place that `--row` names; throws a FatalError (usage) if it names none. */
function placeOf(row: string | undefined): RowLine | undefined {
  if (row === undefined) return undefined;
  const place = parseRowLine(row);
  if (place !== undefined && place > 0) return place;
  throw new FatalError('usage', '--row takes a line of the input, such as 42, or "42, row 3".');
}
