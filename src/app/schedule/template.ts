import { stringify } from 'yaml';
import { quoteForShell } from '../../model/shell-quoted.ts';

/**
 * Creates a template tag for one kind of file. `add` appends a value, escaped for that kind, to the text before it; a
 * line with an undefined value is left out.
 */
function templateOf<Value>(add: (before: string, value: Value) => string) {
  return (parts: TemplateStringsArray, ...values: readonly (Value | undefined)[]): string =>
    parts.reduce((before, part, index) => {
      const value = values[index - 1];
      if (value !== undefined) return `${add(before, value)}${part}`;
      return before.slice(0, before.lastIndexOf('\n') + 1) + part.slice(part.indexOf('\n') + 1);
    });
}

/** The words of a shell command. */
interface ShellWords {
  readonly shell: readonly string[];
}

/** The template tag for a crontab; shell words are quoted and their `%` escaped, other values are not. */
export const crontabTemplateTag = templateOf<string | number | ShellWords>(
  (before, value) =>
    before +
    (typeof value === 'object'
      ? value.shell.map(quoteForShell).join(' ').replaceAll('%', '\\%')
      : String(value)),
);

/** The words of a command in a unit; those in `asIs` contain specifiers such as `%i` and are not escaped. */
interface Command {
  readonly command: readonly string[];
  readonly asIs?: readonly string[];
}

/**
 * The template tag for a systemd unit. It escapes `%`, except in shell words, which are used only in comments; in a
 * command it also escapes `$`.
 */
export const systemdTemplateTag = templateOf<
  string | number | ShellWords | Command | { readonly paths: readonly string[] }
>((before, value) => {
  if (typeof value !== 'object') return before + withoutSpecifiers(String(value));
  if ('shell' in value) return before + value.shell.map(quoteForShell).join(' ');
  if ('paths' in value) return before + value.paths.map(withoutSpecifiers).map(unitQuoted).join(' ');
  const { command, asIs = [] } = value;
  const plain = (word: string) => unitQuoted(withoutSpecifiers(word).replaceAll('$', '$$$$'));
  return before + command.map((word) => (asIs.includes(word) ? word : plain(word))).join(' ');
});

function withoutSpecifiers(text: string): string {
  return text.replaceAll('%', '%%');
}

function unitQuoted(plain: string): string {
  return /^[\w@%+=:,./$-]+$/.test(plain)
    ? plain
    : `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/**
 * Creates a function that appends a value to YAML: a scalar by `scalar`, a list or map as an indented block below its
 * key.
 */
const yamlBy =
  (scalar: (value: unknown) => string) =>
  (before: string, value: unknown): string => {
    if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
      return `${before}${scalar(value)}`;
    const line = before.slice(before.lastIndexOf('\n') + 1);
    const indent = ' '.repeat(line.length - line.trimStart().length + 2);
    const indented = blockOf(value).map((each) => (each === '' ? '' : `${indent}${each}`));
    return [before.trimEnd(), ...indented].join('\n');
  };

function blockOf(value: unknown): readonly string[] {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd().split('\n');
}

/** The template tag for YAML; texts are quoted where necessary. */
export const yamlTemplateTag = templateOf<unknown>(yamlBy((value) => blockOf(value).join('\n')));

/** The template tag for YAML; texts are always quoted. */
export const quotedYamlTemplateTag = templateOf<unknown>(yamlBy((value) => JSON.stringify(value)));
