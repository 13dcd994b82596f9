import type { Screen } from '../../app/run/terminal/screen.ts';
import { hint, toCommand } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { formatDidYouMean } from '../../model/nearest.ts';
import { createTerminalStyler, wrapText } from '../../report/layout.ts';
import { exitCodeExplanations } from './exit-codes.ts';
import type { CodeExplanation } from './explanation.ts';
import { rowCodeExplanations } from './row-codes.ts';

/** The width of prose where standard output is no terminal. */
const usualColumns = 100;

/** The explanations of all codes, in the order in which `explain` lists them. */
export const codeExplanations: readonly CodeExplanation[] = [...rowCodeExplanations, ...exitCodeExplanations];

const contactFields =
  'firstName|lastName|email|phone|language|profilePic|countryCode|tags|lifecycle|assignee|conversation';
const anyField = new RegExp(`^(?:customFields\\..+|${contactFields})\\.([A-Za-z]+)$`);

/** Returns the explanation of a typed code, where `exit 4` means `4`; undefined for an unknown code. */
export function findExplanation(typed: string): CodeExplanation | undefined {
  const code = typed.trim().replace(/^exit(?: code)? ?(?=\d)/i, '');
  const exact = codeExplanations.find((each) => each.code === code);
  if (exact !== undefined) return exact;
  const problem = anyField.exec(code)?.[1];
  const general = codeExplanations.find((each) => each.code === `<field>.${problem}`);
  return general && { ...general, code };
}

/**
 * Prints the explanation of a code, or of all codes; returns the exit code. Throws a FatalError (usage) for an unknown
 * code.
 */
export function runExplain(typed: string | undefined, screen: Screen): number {
  if (typed === undefined || typed === '') {
    screen.result(() => listText(screen), codeExplanations);
    return 0;
  }
  const found = findExplanation(typed);
  if (found === undefined) {
    const meant = formatDidYouMean(
      typed,
      listExpandedExplanations().map(({ code }) => code),
    );
    throw new FatalError('usage', `Unknown code ${JSON.stringify(typed)}${meant || '.'}`, {
      next: hint`See all with: ${toCommand('explain')}`,
    });
  }
  screen.result(() => text(found, screen), found);
  return 0;
}

/** Returns all explanations with codes as they are typed: a code with `<field>` becomes one for each contact field. */
export function listExpandedExplanations(): readonly CodeExplanation[] {
  return codeExplanations.flatMap((each) =>
    each.code.startsWith('<field>')
      ? contactFields.split('|').map((field) => ({ ...each, code: each.code.replace('<field>', field) }))
      : [each],
  );
}

function text(
  { code, meaning, example, next }: CodeExplanation,
  { colour, columns = usualColumns }: Screen,
): string {
  const ink = createTerminalStyler(colour);
  const isExit = /^\d+$/.test(code);
  const part = (label: string, prose: string) =>
    wrapText(prose, { columns, first: `  ${label.padEnd(9)}`, indent: ' '.repeat(11) });
  return [
    ink.bold(isExit ? `exit code ${code}` : code),
    part('Meaning', meaning),
    part('Example', example),
    part('Next', next),
  ].join('\n');
}

function listText({ colour, columns = usualColumns }: Screen): string {
  const ink = createTerminalStyler(colour);
  const block = (title: string, codes: readonly CodeExplanation[]) => [
    ink.bold(title),
    ...codes.flatMap(({ code, meaning }) => [
      `  ${code}`,
      wrapText(meaning, { columns, first: '    ', indent: '    ' }),
    ]),
  ];
  return [...block('Row codes', rowCodeExplanations), '', ...block('Exit codes', exitCodeExplanations)].join(
    '\n',
  );
}
