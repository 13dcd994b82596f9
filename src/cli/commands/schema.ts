import { commandOn } from '../command.ts';
import { Screen } from '../screen.ts';

export const schema = commandOn(
  {
    usage: 'schema <kind>',
    summary:
      'Print the JSON Schema of the mapping or pipeline YAML, for editors, or of what a command prints',
    argument: [
      'kind',
      {
        choices: ['mapping', 'pipeline', 'verification'],
        demandOption: true,
        describe: 'Which file, or which result',
      },
    ],
    options: {},
    examples: [['$0 schema mapping > mapping.schema.json', '']],
  },
  async ({ kind }) => {
    // The schema is JSON by nature: --quiet is for what only people read.
    const screen = new Screen({ json: true, quiet: false });
    screen.result(() => '', await schemaOf(kind));
    return 0;
  },
);

/** Imports only what it prints. */
async function schemaOf(kind: 'mapping' | 'pipeline' | 'verification'): Promise<object> {
  switch (kind) {
    case 'mapping':
      return (await import('../../mapping/index.ts')).mappingJsonSchema();
    case 'pipeline':
      return (await import('../../runs/pipeline/index.ts')).pipelineJsonSchema();
    case 'verification':
      return (await import('../../report/verification.ts')).verificationJsonSchema();
  }
}
