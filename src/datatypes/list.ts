import * as z from 'zod';
import { defineDataType, type Parsed, quoted } from './data-type.ts';

/** The keys of a list rule. */
export const listOptions = z.object({
  allowed: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe("The accepted values; `create: true` makes them the new field's allowed values."),
});

/** One of the field's allowed values, spelled exactly as there. */
export const list = defineDataType({
  name: 'list',
  options: listOptions,
  reader({ allowed }, { allowedValues }) {
    const inMapping = allowed && new Set(allowed);
    const inWorkspace = allowedValues && new Set(allowedValues);
    return {
      readsEmpty: false,
      read(cell): Parsed<string> {
        if (inMapping && !inMapping.has(cell)) return notAllowed(cell, allowed, 'the mapping');
        if (inWorkspace && !inWorkspace.has(cell)) return notAllowed(cell, allowedValues, 'the workspace');
        return { ok: true, value: cell };
      },
    };
  },
  same: (readBack, wanted) => readBack === String(wanted),
});

function notAllowed(cell: string, allowed: readonly string[], where: string): Parsed<string> {
  const alike = allowed.find((value) => value.toLowerCase() === cell.toLowerCase());
  const right =
    alike === undefined
      ? `allowed are ${allowed.slice(0, 8).map(quoted).join(', ')}${allowed.length > 8 ? ', …' : ''}`
      : `it is spelled ${quoted(alike)} there`;
  const reason = `${quoted(cell)} is not a value that ${where} allows: ${right}.`;
  return { ok: false, problem: 'notAllowed', reason };
}
