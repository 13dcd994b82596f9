import { defineCommandWithArgument, metricsOption } from '../command.ts';

export const undoCommand = defineCommandWithArgument(
  {
    usage: 'undo <run>',
    summary: 'Put back what a run changed in the workspace',
    argument: ['run', { type: 'string', demandOption: true, describe: 'The run, as "runs" lists it' }],
    options: {
      'dry-run': {
        type: 'boolean',
        default: false,
        describe: 'Send nothing; show what would be put back, and what not',
      },
      yes: { type: 'boolean', default: false, describe: 'Do not ask before it begins' },
      conversations: {
        type: 'boolean',
        default: false,
        describe: 'Also reopen or close conversations: automation may run, and closing notes are lost',
      },
      'delete-tags': {
        type: 'boolean',
        default: false,
        describe: 'Also delete tags that the run created and that no contact carries',
      },
      metrics: metricsOption,
    },
    examples: [
      ['$0 undo 20260301-091500-contacts --dry-run', 'what would be put back'],
      ['$0 undo 20260301-091500-contacts', 'shows the same, asks, and puts it back'],
    ],
  },
  async (flags, screen) => (await import('../../app/undo/undo-command.ts')).runUndoCommand(flags, screen),
);
