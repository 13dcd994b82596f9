import { commandLine } from '../../app/run/command-line.ts';
import type { Screen } from '../../app/run/terminal/screen.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { didYouMean } from '../../model/nearest.ts';
import { paint, wrapped } from '../../report/layout.ts';
import { exitCodes } from './exit-codes.ts';
import type { Explanation } from './explanation.ts';
import { rowCodes } from './row-codes.ts';

/** Prose is read best in lines that are not too long. */
const usualColumns = 100;

/** Every code that can be explained, as it is typed. */
export const explanations: readonly Explanation[] = [...rowCodes, ...exitCodes];

const contactFields =
  'firstName|lastName|email|phone|language|profilePic|countryCode|tags|lifecycle|assignee|conversation';
const anyField = new RegExp(`^(?:customFields\\..+|${contactFields})\\.([A-Za-z]+)$`);

/** What a code means; undefined where nothing of ours has it. `exit 4` is `4`. */
export function findExplanation(typed: string): Explanation | undefined {
  const code = typed.trim().replace(/^exit(?: code)? ?(?=\d)/i, '');
  const exact = explanations.find((each) => each.code === code);
  if (exact !== undefined) return exact;
  const problem = anyField.exec(code)?.[1];
  const general = explanations.find((each) => each.code === `<field>.${problem}`);
  return general && { ...general, code };
}

/** Explains one code, or lists them all; returns the exit code. */
export function explain(typed: string | undefined, screen: Screen): number {
  if (typed === undefined || typed === '') {
    screen.result(() => listText(screen), explanations);
    return 0;
  }
  const found = findExplanation(typed);
  if (found === undefined) {
    const meant = didYouMean(
      typed,
      typedExplanations().map(({ code }) => code),
    );
    throw new FatalError('usage', `Unknown code ${JSON.stringify(typed)}${meant || '.'}`, {
      next: `See all with: ${commandLine(['explain'])}`,
    });
  }
  screen.result(() => text(found, screen), found);
  return 0;
}

/** Every code in the spellings that somebody types: a pattern with each field of a contact. */
export function typedExplanations(): readonly Explanation[] {
  return explanations.flatMap((each) =>
    each.code.startsWith('<field>')
      ? contactFields.split('|').map((field) => ({ ...each, code: each.code.replace('<field>', field) }))
      : [each],
  );
}

function text(
  { code, meaning, example, next }: Explanation,
  { colour, columns = usualColumns }: Screen,
): string {
  const ink = paint(colour);
  const isExit = /^\d+$/.test(code);
  const part = (label: string, prose: string) =>
    wrapped(prose, { columns, first: `  ${label.padEnd(9)}`, indent: ' '.repeat(11) });
  return [
    ink.bold(isExit ? `exit code ${code}` : code),
    part('Meaning', meaning),
    part('Example', example),
    part('Next', next),
  ].join('\n');
}

function listText({ colour, columns = usualColumns }: Screen): string {
  const ink = paint(colour);
  const block = (title: string, codes: readonly Explanation[]) => [
    ink.bold(title),
    ...codes.flatMap(({ code, meaning }) => [
      `  ${code}`,
      wrapped(meaning, { columns, first: '    ', indent: '    ' }),
    ]),
  ];
  return [...block('Row codes', rowCodes), '', ...block('Exit codes', exitCodes)].join('\n');
}
