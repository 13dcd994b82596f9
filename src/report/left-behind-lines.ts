import {
  formatLeftBehindDetails,
  formatLeftBehindFix,
  formatLeftBehindTitle,
  type LeftBehindGroup,
  leftBehindTitle,
} from '../model/left-behind.ts';
import { type TerminalStyler, wrapText } from './layout.ts';

/** Returns what an import leaves behind as terminal lines; empty where it leaves nothing. */
export function formatLeftBehindLines(
  items: readonly LeftBehindGroup[],
  ink: Pick<TerminalStyler, 'bold' | 'dim'>,
  columns?: number,
): string[] {
  if (items.length === 0) return [];
  const below = (text: string) => ink.dim(wrapText(text, { columns, first: '      ', indent: '      ' }));
  return [
    ink.bold(`  ${leftBehindTitle}`),
    ...items.flatMap((item) => [
      wrapText(formatLeftBehindTitle(item), { columns, first: '    ', indent: '    ' }),
      ...[...formatLeftBehindDetails(item), formatLeftBehindFix(item)].map(below),
    ]),
  ];
}
