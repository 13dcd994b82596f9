import type { LostCorrection } from '../../wire/decisions.ts';
import { formatRowLine } from '../figures.ts';
import { useRouteAnswer } from '../hooks.ts';
import { t } from '../language.ts';
import { Notice } from '../parts/notice.tsx';
import { ExternalText } from '../parts/shown-text.tsx';
import { formatFileName } from './run-name.ts';

/** The corrections of an earlier file that were not carried over to that of a run; nothing without any. */
export function LostCorrectionsNotice({ lost }: { readonly lost: readonly LostCorrection[] }) {
  const [first] = lost;
  if (first === undefined) return null;
  return (
    <Notice
      tone="look"
      message={t(
        '{n, plural, one {A correction of a row of {file} was not carried over: this file does not have the row as it was, or it was imported.} other {# corrections of rows of {file} were not carried over: this file does not have the rows as they were, or they were imported.}}',
        { n: lost.length, file: formatFileName(first.file) },
      )}
    >
      <ul>
        {lost.map((each) => (
          <li key={`${each.sheet} ${each.line}`}>
            <ExternalText text={describe(each)} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The same for a run whose rejected rows are not shown, because it has none. */
export function LostCorrectionsOfRun({ run }: { readonly run: string }) {
  const { value } = useRouteAnswer('rejects', { run });
  return <LostCorrectionsNotice lost={value.value?.lost ?? []} />;
}

function describe({ line, sheet, key, cells }: LostCorrection): string {
  const at = formatRowLine(line);
  const place = sheet
    ? t('row {line} of the sheet {sheet}', { line: at, sheet })
    : t('line {line}', { line: at });
  const named = key === null ? place : t('{place}, key {key}', { place, key });
  const text = Object.entries(cells)
    .map(([column, cell]) => `${column}: ${cell}`)
    .join('; ');
  return t('{place}: {text}', { place: named, text });
}
