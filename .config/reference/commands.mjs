// The commands as their own files describe them.
import { cell } from './schema.mjs';

/** The page of all commands, their arguments, options and examples. */
export function commandsPage(commands, commonOptions) {
  return [
    '# Commands',
    '',
    'Every command is typed as `npx longshore COMMAND` in a checkout, and as `longshore COMMAND` where it is installed. The',
    '[exit codes](codes.md#exit-codes) say how a command ended.',
    '',
    ...commands.map(({ usage, summary }) => `- [\`${usage}\`](#${usage.split(' ', 1)[0]}): ${cell(summary)}`),
    '- [Global options](#global-options)',
    '',
    ...commands.flatMap((command) => sectionOf(command)),
    '## Global options',
    '',
    'Every command takes these, and `--help` (`-h`). `longshore --version` (`-V`) prints the version.',
    '',
    ...optionTable(commonOptions),
    '',
  ].join('\n');
}

function sectionOf(command) {
  const { usage, summary, argument, options, examples } = command;
  return [
    `## ${usage.split(' ', 1)[0]}`,
    '',
    `${summary}.`,
    '',
    '```text',
    `longshore ${usage}${Object.keys(options).length > 0 ? ' [options]' : ''}`,
    '```',
    '',
    ...(argument === undefined ? [] : [...argumentTable(argument), '']),
    ...(Object.keys(options).length > 0 ? [...optionTable(options), ''] : []),
    ...(examples.length > 0 ? ['```text', ...aligned(examples), '```', ''] : []),
  ];
}

function argumentTable([name, { describe = '', choices }]) {
  const which = choices === undefined ? '' : `: ${choices.map((each) => `\`${each}\``).join(', ')}`;
  return ['| argument | meaning |', '|---|---|', `| \`${name}\` | ${cell(describe)}${which} |`];
}

function optionTable(options) {
  return [
    '| option | takes | left out | meaning |',
    '|---|---|---|---|',
    ...Object.entries(options).map(([name, option]) => {
      const { describe = '', choices, type, default: initial, defaultDescription, alias } = option;
      const takes = choices === undefined ? { string: 'text', number: 'a number' }[type] : undefined;
      const which = choices?.map((each) => `\`${each}\``).join(', ') ?? takes ?? '';
      const absent =
        defaultDescription ?? (initial === undefined || initial === false ? '' : `\`${initial}\``);
      const also = alias === undefined ? '' : `, \`-${alias}\``;
      return `| \`--${name}\`${also} | ${which} | ${cell(absent)} | ${cell(describe)} |`;
    }),
  ];
}

function aligned(examples) {
  const typed = examples.map(([text, why]) => [text.replaceAll('$0', 'longshore'), why]);
  const width = Math.max(...typed.map(([text]) => text.length));
  return typed.map(([text, why]) => (why === '' ? text : `${text.padEnd(width)}   # ${why}`));
}
