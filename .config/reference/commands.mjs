// The commands as their own files register them with the parser.
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
  const { usage, summary, options } = command;
  const { positionals, examples } = recorded(command);
  return [
    `## ${usage.split(' ', 1)[0]}`,
    '',
    `${summary}.`,
    '',
    '```text',
    `longshore ${usage}${Object.keys(options).length > 0 ? ' [options]' : ''}`,
    '```',
    '',
    ...(positionals.length > 0 ? [...argumentTable(positionals), ''] : []),
    ...(Object.keys(options).length > 0 ? [...optionTable(options), ''] : []),
    ...(examples.length > 0 ? ['```text', ...aligned(examples), '```', ''] : []),
  ];
}

/** What a command says to the parser, written down in place of it. */
function recorded({ register }) {
  const positionals = [];
  const examples = [];
  const builder = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...args) => {
          if (name === 'positional') positionals.push(args);
          if (name === 'example') examples.push(args);
          return builder;
        },
    },
  );
  const parser = { command: (_usage, _summary, build) => void build(builder) };
  register(parser, () => Promise.resolve());
  return { positionals, examples };
}

function argumentTable(positionals) {
  return [
    '| argument | meaning |',
    '|---|---|',
    ...positionals.map(([name, { describe = '', choices }]) => {
      const which = choices === undefined ? '' : `: ${choices.map((each) => `\`${each}\``).join(', ')}`;
      return `| \`${name}\` | ${cell(describe)}${which} |`;
    }),
  ];
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
  const typed = examples.map(([text, why]) => [text.replaceAll('$0', 'longshore'), why ?? '']);
  const width = Math.max(...typed.map(([text]) => text.length));
  return typed.map(([text, why]) => (why === '' ? text : `${text.padEnd(width)}   # ${why}`));
}
