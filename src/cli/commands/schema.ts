import { Screen } from '../../app/run/terminal/screen.ts';
import { defineCommandWithArgument } from '../command.ts';
import { type JsonSchemaName, jsonSchemas } from '../json-schemas.ts';

const names = Object.keys(jsonSchemas).filter((name): name is JsonSchemaName => name in jsonSchemas);
const list = names.map((name) => `${name} (${jsonSchemas[name].describe})`).join(', ');

export const schemaCommand = defineCommandWithArgument(
  {
    usage: 'schema <kind>',
    summary: 'Print the JSON Schema of the mapping or pipeline YAML for editors, or of what commands print',
    argument: ['kind', { choices: names, demandOption: true, describe: `Which one: ${list}` }],
    options: {},
    examples: [
      ['$0 schema mapping > mapping.schema.json', 'for an editor'],
      ['$0 schema summary > summary.schema.json', 'for a program that reads summary.json'],
    ],
  },
  async ({ kind }) => {
    // A schema is always JSON, even with --quiet.
    const screen = new Screen({ json: true, quiet: false });
    screen.result(() => '', await jsonSchemas[kind].schema());
    return 0;
  },
);
