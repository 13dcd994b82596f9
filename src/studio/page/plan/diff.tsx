import { useSignal } from '@preact/signals';
import type { DiffFilter, DiffGroup, DiffLine } from '../../wire/plans.ts';
import { formatCount, formatPercent, formatRowLine } from '../figures.ts';
import { useDebouncedWork, useRouteAnswer } from '../hooks.ts';
import { t, translateEngineText } from '../language.ts';
import { Button, SelectField, TextField } from '../parts/controls.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ProblemNotice, Section, StatusNote } from '../parts/notice.tsx';
import { formatProblemCode } from '../parts/problem-words.ts';
import { type TableColumn, VirtualTable } from '../parts/table.tsx';
import { labelOfRowState } from '../project.ts';
import { useDiffSearch } from './use-diff.ts';
import { BeforeAfterTable, DiffValue, formatChangedField, formatChangeKind } from './value.tsx';

/** The maximum number of lines in one table: a browser limits the height of elements. */
const mostShown = 1_000_000;

const pause = 200;

interface DiffProps {
  readonly path: string;
  readonly sorts: readonly DiffGroup[];
}

/** The table of all values that would change, with filters. */
export function PlanDiffTable({ path, sorts }: DiffProps) {
  const text = useSignal('');
  const sort = useSignal<Omit<DiffFilter, 'text'>>({});
  const opened = useSignal<DiffLine | undefined>(undefined);
  const first = useSignal(0);
  const later = useDebouncedWork(pause);
  const search = (typed: string) =>
    later(() => {
      text.value = typed.trim();
      first.value = 0;
    });
  const filter: DiffFilter = {
    ...sort.value,
    ...(text.value !== '' && { text: text.value, labelled: fieldsLabelled(sorts, text.value) }),
  };
  const { state, problem, lineAt, inSight } = useDiffSearch(path, filter);
  const all = linesOf(sorts, {});
  const isCounted = text.value === '';
  const passing = isCounted ? linesOf(sorts, sort.value) : (state.value?.found ?? 0);
  const rows = Math.min(mostShown, passing - first.value);
  const choose = (chosen: Partial<Record<'outcome' | 'kind' | 'field', string>>) => {
    const entries = Object.entries({ ...sort.value, ...chosen }).filter(([, value]) => value !== anything);
    sort.value = Object.fromEntries(entries);
    first.value = 0;
  };
  return (
    <Section title={t('Every change')}>
      <div class="fields">
        {sortNames.map(({ name, label, word }) => (
          <SelectField
            key={name}
            label={label}
            value={sort.value[name] ?? anything}
            options={optionsOf(sorts, sort.value, name, word)}
            onChoose={(value) => choose({ [name]: value })}
          />
        ))}
        <TextField label={t('Text')} type="search" placeholder={t('Key, field or value')} onInput={search} />
      </div>
      <StatusNote>
        {isCounted || state.value?.isDone !== false
          ? t('{n, number} of {all, number} changes', { n: passing, all })
          : t('{n, number} of {all, number} changes, {percent} searched', {
              n: passing,
              all,
              percent: formatPercent(state.value.looked, all),
            })}
      </StatusNote>
      <ProblemNotice problem={problem.value} />
      {passing > mostShown && (
        <Windows passing={passing} first={first.value} onChoose={(from) => (first.value = from)} />
      )}
      {rows > 0 && (
        <VirtualTable
          key={JSON.stringify([filter, first.value])}
          label={t('Every change')}
          columns={columns}
          rows={rows}
          rowAt={(index) => lineAt(first.value + index)}
          onRange={(from, to) => inSight(first.value + from, first.value + to)}
          onOpen={(line) => (opened.value = line)}
        />
      )}
      <p class="note">{t('Enter or a click shows the whole row.')}</p>
      {opened.value !== undefined && (
        <DiffRowDialog path={path} line={opened.value} onClose={() => (opened.value = undefined)} />
      )}
    </Section>
  );
}

const anything = '*';

const sortNames = [
  { name: 'outcome', label: t('Outcome'), word: ({ outcome }: DiffGroup) => labelOfRowState(outcome) },
  { name: 'kind', label: t('Kind'), word: ({ kind }: DiffGroup) => formatChangeKind(kind) },
  { name: 'field', label: t('Field'), word: fieldWord },
] as const;

function fieldWord({ kind, field }: Pick<DiffGroup, 'kind' | 'field'>): string {
  return field === null ? '' : formatChangedField(kind, field);
}

function sortValue(sort: DiffGroup, name: 'outcome' | 'kind' | 'field'): string | undefined {
  return name === 'kind' ? (sort.kind ?? '') : (sort[name] ?? undefined);
}

function passes(sort: DiffGroup, filter: Omit<DiffFilter, 'text'>): boolean {
  return sortNames.every(({ name }) => filter[name] === undefined || sortValue(sort, name) === filter[name]);
}

function linesOf(sorts: readonly DiffGroup[], filter: Omit<DiffFilter, 'text'>): number {
  return sorts.reduce((sum, sort) => sum + (passes(sort, filter) ? sort.lines : 0), 0);
}

function fieldsLabelled(sorts: readonly DiffGroup[], text: string): readonly string[] {
  const wanted = text.toLowerCase();
  const labelled = sorts.filter((sort) => fieldWord(sort).toLowerCase().includes(wanted));
  return [...new Set(labelled.flatMap(({ field }) => field ?? []))];
}

/** Returns the choices of a filter, each with the number of its lines that pass the other filters. */
function optionsOf(
  sorts: readonly DiffGroup[],
  filter: Omit<DiffFilter, 'text'>,
  name: 'outcome' | 'kind' | 'field',
  word: (sort: DiffGroup) => string,
): readonly (readonly [string, string])[] {
  const others = { ...filter, [name]: undefined };
  const counts = new Map<string, { readonly label: string; readonly n: number }>();
  for (const sort of sorts) {
    const value = sortValue(sort, name);
    const isChosen = value === filter[name];
    // A comment for each row of a joined table (`note:17`) is found by its text: a choice for each is no choice.
    const isOfRow = name === 'field' && sort.kind === 'comment' && value?.includes(':');
    const isListed = isChosen || (passes(sort, others) && !isOfRow);
    if (value === undefined || !isListed) continue;
    const n = passes(sort, others) ? sort.lines : 0;
    counts.set(value, { label: word(sort), n: (counts.get(value)?.n ?? 0) + n });
  }
  return [
    [anything, t('All')],
    ...[...counts]
      .sort(([, a], [, b]) => b.n - a.n)
      // An outcome counts rows, and a row has a line for each of its changes.
      .map(
        ([value, { label, n }]) =>
          [value, name === 'outcome' ? label : `${label} (${formatCount(n)})`] as const,
      ),
  ];
}

const columns: readonly TableColumn<DiffLine>[] = [
  { head: t('Line'), width: '6.5rem', figures: true, isWhole: true, cell: ({ line }) => formatRowLine(line) },
  { head: t('Key'), cell: ({ key }) => key ?? '', width: 'minmax(7rem, 1fr)' },
  { head: t('Outcome'), cell: ({ outcome }) => labelOfRowState(outcome), width: '7rem' },
  { head: t('Kind'), cell: ({ kind }) => <Kind kind={kind} />, width: '8rem' },
  { head: t('Field'), cell: fieldWord, width: 'minmax(8rem, 1fr)' },
  {
    head: t('Before'),
    cell: ({ old }) => <DiffValue value={old} tone="old" />,
    width: 'minmax(10rem, 1.6fr)',
  },
  {
    head: t('After, or why nothing changes'),
    cell: ({ kind, new: after }) =>
      kind === null ? translateEngineText(after ?? '') : <DiffValue value={after} tone="new" />,
    width: 'minmax(12rem, 2fr)',
  },
];

function Kind({ kind }: { readonly kind: string | null }) {
  return <span class={kind === 'cleared' ? 'wrong' : ''}>{formatChangeKind(kind)}</span>;
}

interface WindowsProps {
  readonly passing: number;
  readonly first: number;
  onChoose(first: number): void;
}

/** A select field that chooses which lines the table shows, a million at a time. */
function Windows({ passing, first, onChoose }: WindowsProps) {
  const starts = Array.from({ length: Math.ceil(passing / mostShown) }, (_, n) => n * mostShown);
  return (
    <SelectField
      label={t('Changes')}
      value={String(first)}
      options={starts.map((from) => [
        String(from),
        t('{from, number} to {to, number}', { from: from + 1, to: Math.min(passing, from + mostShown) }),
      ])}
      onChoose={(value) => onChoose(Number(value))}
    />
  );
}

interface DiffRowProps {
  readonly path: string;
  readonly line: DiffLine;
  onClose(): void;
}

function DiffRowDialog({ path, line, onClose }: DiffRowProps) {
  const { value: row, problem } = useRouteAnswer('planRow', { path, seq: line.seq });
  return (
    <Dialog title={titleOf(line, labelOfRowState(line.outcome))} onClose={onClose}>
      {row.value?.contact != null && <p class="note">{t('Contact {id}', { id: row.value.contact })}</p>}
      <ProblemNotice problem={problem.value} />
      {row.value !== undefined && row.value.problems.length > 0 && (
        <ul>
          {row.value.problems.map(({ code, reason }) => (
            <li key={`${code} ${reason}`}>
              <span title={code}>{formatProblemCode(code)}</span>: {translateEngineText(reason)}
            </li>
          ))}
        </ul>
      )}
      {row.value !== undefined && row.value.changes.length > 0 && (
        <BeforeAfterTable
          isNew={line.outcome === 'created'}
          changes={row.value.changes.map(({ step, field, from, to }) => ({
            label: formatChangedField(step, field),
            ...(from !== undefined && { from: textOf(from) }),
            to: textOf(to),
          }))}
        />
      )}
      {row.value?.changes.length === 0 && <p>{t('Nothing would change.')}</p>}
      <p class="buttons">
        <Button class="quiet" label={t('Close')} onClick={onClose} />
      </p>
    </Dialog>
  );
}

function titleOf({ line, key }: DiffLine, outcome: string): string {
  const place = formatRowLine(line);
  return key === null
    ? t('Line {line}: {outcome}', { line: place, outcome })
    : t('Line {line}, key {key}: {outcome}', { line: place, key, outcome });
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
