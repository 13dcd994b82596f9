import { FatalError } from '../../model/fatal-error.ts';
import { defineCommandWithArgument, pipelineArgument } from '../command.ts';
import { assertWholeNumber } from '../number-flags.ts';
import { importCommandOptions } from './import.ts';

export const rehearseCommand = defineCommandWithArgument(
  {
    usage: 'rehearse <pipeline>',
    summary: 'Run the whole import on a local copy of the workspace, which is only read',
    argument: pipelineArgument,
    options: {
      ...importCommandOptions,
      all: {
        type: 'boolean',
        default: false,
        describe: 'Copy every contact (default: those that the import reads)',
      },
      speed: {
        type: 'string',
        requiresArg: true,
        describe: 'How fast the clock runs, such as 60x (default: as fast as it can)',
      },
      sample: {
        type: 'number',
        default: 5,
        requiresArg: true,
        describe: 'Show that many contacts with what changed',
      },
      out: {
        type: 'string',
        requiresArg: true,
        describe: 'Keep all contacts before and after, as CSV files, in this folder',
      },
      keep: { type: 'boolean', default: false, describe: 'Keep the copy, in the work dir' },
    },
    groups: {
      'What to rehearse:': [...Object.keys(importCommandOptions), 'all', 'speed'],
      'What to show and keep:': ['sample', 'out', 'keep'],
    },
    examples: [
      ['$0 rehearse pipelines/mine.yaml', 'what the import would come to, and how long it takes'],
      ['$0 rehearse pipelines/mine.yaml --out rehearsed', 'all contacts before and after'],
      ['$0 rehearse pipelines/mine.yaml --limit 200 --speed 60x', 'an hour in a minute'],
    ],
  },
  async ({ pipeline, speed, sample, ...flags }, screen) => {
    assertWholeNumber('limit', flags.limit, 1);
    assertWholeNumber('sample', sample, 0);
    const times = speed === undefined ? undefined : timesOf(speed);
    const { resolveRowSelection } = await import('../../app/import/row-choice.ts');
    const choice = await resolveRowSelection(flags);
    const { runRehearsalCommand } = await import('../../app/rehearse/rehearse-command.ts');
    return await runRehearsalCommand(
      { ...flags, ...choice, sample, speed: times, pipelineFile: pipeline },
      screen,
    );
  },
);

/** Returns the factor of a speed such as `60x`; throws a FatalError (usage) where it is invalid. */
function timesOf(text: string): number {
  const [, digits] = /^(\d+(?:\.\d+)?)x?$/.exec(text) ?? [];
  const times = Number(digits);
  if (times > 0 && Number.isFinite(times)) return times;
  throw new FatalError('usage', `--speed takes a number of times such as 60x, not ${JSON.stringify(text)}.`, {
    next: 'Leave it out to rehearse as fast as possible.',
  });
}
