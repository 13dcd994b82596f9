import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { type LeftBehindGroup, leftBehindTitle } from '../../wire/left-behind.ts';
import { activity } from '../activity.ts';
import { callRoute } from '../call.ts';
import { formatCount, formatRowLine } from '../figures.ts';
import { useAsyncAction, useRouteAnswer } from '../hooks.ts';
import { t, translateEngineText } from '../language.ts';
import { project } from '../project.ts';
import { Checkbox } from './controls.tsx';
import { ProblemNotice } from './notice.tsx';
import { formatProblemCode } from './problem-words.ts';

interface LeftBehindListProps {
  readonly items: readonly LeftBehindGroup[];
  /** The pipeline whose mapping can still be changed for the import; undefined after the import. */
  readonly pipeline?: string;
  /** The element of the title: h2 in a section of its own. */
  readonly heading?: 'h2' | 'h3';
  /** Shows the links to the file that lists a group; undefined before there is a run. */
  fileLinks?(item: LeftBehindGroup, file: string): ComponentChildren;
}

const mostShown = 5;

/** The list of what an import leaves behind, in the words of the commands. */
export function LeftBehindList({ items, pipeline, heading: Heading = 'h3', fileLinks }: LeftBehindListProps) {
  const progress = activity.value?.progress;
  const mapping = progress?.pipeline === pipeline && !project.value.readOnly ? progress?.mapping : null;
  if (items.length === 0) return null;
  return (
    <>
      <Heading>{translateEngineText(leftBehindTitle)}</Heading>
      <ul class="lines" aria-label={translateEngineText(leftBehindTitle)}>
        {items.map((item) => (
          <li key={item.kind}>
            <details>
              <summary>{titleOf(item)}</summary>
              {item.values.length > 0 && <p class="sentence">{valuesOf(item)}</p>}
              {item.example !== null && <p class="sentence">{exampleOf(item.example)}</p>}
              {item.kind === 'commentsForExisting' && mapping != null ? (
                <CommentsToExisting mapping={mapping} />
              ) : (
                <p class="note">{fixOf(item)}</p>
              )}
              {item.file !== null && fileLinks?.(item, item.file)}
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The choice whether contacts that were there before get the comments of a mapping. */
function CommentsToExisting({ mapping: path }: { readonly mapping: string }) {
  const { value: file } = useRouteAnswer('readYaml', { path });
  const { value: shown } = useRouteAnswer('mappingShown', file.value ? { text: file.value.text } : null);
  const chosen = useSignal<boolean | undefined>(undefined);
  const { problem, attempt } = useAsyncAction();
  const choose = (sends: boolean) =>
    attempt(async () => {
      const before = await callRoute('readYaml', { path });
      const edit = { kind: 'sendCommentsToExisting', sends } as const;
      const { text } = await callRoute('editMapping', { text: before.text, edit });
      await callRoute('writeYaml', { path, text, etag: before.etag });
      chosen.value = sends;
    });
  return (
    <>
      <Checkbox
        label={t('Send them to these contacts, too')}
        checked={chosen.value ?? shown.value?.outline?.sendsCommentsToExisting ?? false}
        onChange={choose}
      />
      <p class="note">
        {t(
          'Only if they do not have them yet: comments cannot be read back. The next plan takes it into account.',
        )}
      </p>
      <ProblemNotice problem={problem.value} />
    </>
  );
}

function titleOf({ title: text, n, known }: LeftBehindGroup): string {
  const title = translateEngineText(text);
  return known === 'workspace'
    ? t('{title}: {n, number} (to be confirmed with the workspace)', { title, n })
    : t('{title}: {n, number}', { title, n });
}

/** Returns the most frequent values with their counts; rejected rows are counted by problem codes. */
function valuesOf({ kind, values }: LeftBehindGroup): string {
  const shown = values.slice(0, mostShown).map(({ value, n }) => {
    const words = kind === 'rejected' ? formatProblemCode(value) : value;
    return n > 1 ? `${words} (${formatCount(n)})` : words;
  });
  const rest = values.length - shown.length;
  return rest === 0
    ? shown.join(', ')
    : t('{values} and {rest, number} more', { values: shown.join(', '), rest });
}

function exampleOf({ line, sheet, text }: NonNullable<LeftBehindGroup['example']>): string {
  const place =
    sheet === undefined
      ? t('line {line}', { line: formatRowLine(line) })
      : t('row {line} of the sheet {sheet}', { line: String(line), sheet });
  return text === '' ? place : t('{place}: {text}', { place, text });
}

function fixOf({ kind, file, fix: text }: LeftBehindGroup): string {
  if (kind === 'questions') return t('After the import, the page of its run asks about each of them.');
  const fix = translateEngineText(text);
  return file === null ? fix : t('Listed in {file} of the run. {fix}', { file, fix });
}
