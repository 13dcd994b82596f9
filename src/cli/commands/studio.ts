import { defineCommandWithArgument } from '../command.ts';
import { assertWholeNumber } from '../number-flags.ts';

export const studioCommand = defineCommandWithArgument(
  {
    usage: 'studio [file]',
    summary: 'Open a local web page that does what the commands do',
    argument: [
      'file',
      {
        type: 'string',
        describe: 'A pipeline, an input or a folder to open (default: the current folder)',
      },
    ],
    options: {
      port: {
        type: 'number',
        requiresArg: true,
        describe: 'Port on 127.0.0.1; 0 for any free one (default: one of the project)',
      },
      // Typed as --no-open.
      open: { type: 'boolean', default: true, describe: 'Open the browser; --no-open only prints the URL' },
      'read-only': { type: 'boolean', default: false, describe: 'Only look: change and start nothing' },
    },
    examples: [
      ['$0 studio', 'the project of the current folder'],
      ['$0 studio pipelines/mine.yaml', 'opens with this pipeline'],
    ],
  },
  async (flags, screen) => {
    assertWholeNumber('port', flags.port, 0, 65_535);
    return await (await import('../serve-studio.ts')).serveStudio(flags, screen);
  },
);
