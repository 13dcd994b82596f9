import * as z from 'zod';

/** Placeholders with a meaning of their own. */
const taken = new Set(['workspace', 'date', 'identifier', 'mention']);

const longest = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const unfit = /[{}\u0000-\u001f\u007f]/;
const secretName = /token|secret|password|passwd|api_?key|access_?key|credential/i;

/** True if a text looks like a secret: a signed token, a long hash, or a random string. */
function looksSecret(text: string): boolean {
  if (/^eyJ[\w-]+\.[\w-]+\./.test(text) || /^[\da-f]{32,}$/i.test(text)) return true;
  return /^[\w+=~-]{24,}$/.test(text) && [/\d/, /[a-z]/, /[A-Z]/].every((kind) => kind.test(text));
}

const value = z
  .union([z.string(), z.number(), z.boolean()])
  .transform(String)
  .superRefine((text, context) => {
    const message = mistakeOf(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

function mistakeOf(text: string): string | undefined {
  if (text === '' || text.length > longest) return `a value has from 1 to ${longest} characters`;
  if (unfit.test(text)) return 'a value has no braces and no control characters';
  // The value itself is never echoed.
  return looksSecret(text)
    ? 'this looks like a secret, which must not be in this file; name a variable or a file with tokenEnv or tokenFile'
    : undefined;
}

const valueName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/, 'the name of a value has letters, digits, hyphens and underscores')
  .superRefine((text, context) => {
    const message = taken.has(text)
      ? `{${text}} has a meaning of its own; use another name`
      : secretName.test(text)
        ? 'secrets must not be in this file; name a variable or a file with tokenEnv or tokenFile'
        : undefined;
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** The values of placeholders, such as {name}, in the pipelines of a workspace. */
export const workspaceValuesSchema = z
  .record(valueName, value)
  .prefault({})
  .describe(
    'What is filled in for {NAME} in the paths, filters and mappings of the pipelines; {workspace} is the name of the workspace.',
  );
