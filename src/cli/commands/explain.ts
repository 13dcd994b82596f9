import { defineCommandWithArgument } from '../command.ts';

export const explainCommand = defineCommandWithArgument(
  {
    usage: 'explain [code]',
    summary: 'Explain a row code such as email.invalid, or an exit code; without a code, list them all',
    argument: ['code', { type: 'string', describe: 'A row code, or an exit code such as 4' }],
    options: {},
    examples: [
      ['$0 explain customFields.Plan.notAllowed', 'what it means and what to do'],
      ['$0 explain 4', 'an exit code'],
    ],
  },
  async ({ code }, screen) => {
    const { runExplain: explain } = await import('../explain/explain.ts');
    return explain(code, screen);
  },
);
