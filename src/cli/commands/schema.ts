import { commandOn } from '../command.ts';
import { Screen } from '../screen.ts';

export const schema = commandOn(
  {
    usage: 'schema <kind>',
    summary: 'Print the JSON Schema of the mapping or pipeline YAML, for editors',
    argument: ['kind', { choices: ['mapping', 'pipeline'], demandOption: true, describe: 'Which file' }],
    options: {},
    examples: [['$0 schema mapping > mapping.schema.json', '']],
  },
  async ({ kind }) => {
    const { mappingJsonSchema } = await import('../../mapping/index.ts');
    const { pipelineJsonSchema } = await import('../../runs/pipeline/index.ts');
    // The schema is JSON by nature: --quiet is for what only people read.
    const screen = new Screen({ json: true, quiet: false });
    screen.result(() => '', kind === 'mapping' ? mappingJsonSchema() : pipelineJsonSchema());
    return 0;
  },
);
