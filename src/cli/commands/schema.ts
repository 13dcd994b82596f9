import type { Command } from '../command.ts';

const usage = 'schema <kind>';
const kinds = ['mapping', 'pipeline'] as const;
const summary = 'Print the JSON Schema of the mapping or pipeline YAML, for editors';

export const schema: Command = {
  usage,
  summary,
  options: {},
  choices: kinds,
  register: (cli, start) => {
    cli.command(
      usage,
      summary,
      (command) =>
        command
          .positional('kind', {
            choices: kinds,
            demandOption: true,
            describe: 'Which file',
          })
          .example('$0 schema mapping > mapping.schema.json', ''),
      (flags) =>
        // The schema is JSON by nature: --quiet is for what only people read.
        start({ json: true, quiet: false }, async (screen) => {
          const { mappingJsonSchema } = await import('../../mapping/index.ts');
          const { pipelineJsonSchema } = await import('../../runs/pipeline/index.ts');
          screen.result(() => '', flags.kind === 'mapping' ? mappingJsonSchema() : pipelineJsonSchema());
          return 0;
        }),
    );
  },
};
