import type { ColumnStatistics, TargetOutline } from '../../wire/mapping.ts';
import { formatCount, formatPercent } from '../figures.ts';
import { t, translateEngineText } from '../language.ts';
import { Button } from '../parts/controls.tsx';
import { formatTargetWithKind } from '../parts/target-words.ts';
import type { MappingGridEntry } from './grid-lines.ts';
import { ValueTraceList } from './result.tsx';
import { RuleOptionFields } from './rule-options.tsx';
import { toMapFromYaml } from './rule-words.ts';
import { TargetSelect } from './target-select.tsx';
import { TemplateEditor } from './template-editor.tsx';
import { ValueTableEditor } from './value-table.tsx';
import type { MappingViewState, TargetProps } from './view-state.ts';

interface LineDetailsProps {
  readonly line: MappingGridEntry;
  readonly counted: number;
  readonly view: MappingViewState;
}

/** The most frequent values of a column, the rule of each of its targets, and a field that adds another target. */
export function GridLineDetails({ line: { column, targets }, counted, view }: LineDetailsProps) {
  return (
    <div class="beside detail">
      {column !== null && (
        <div>
          <Distribution {...{ column, counted, view }} />
          {targets.length > 0 && <TargetSelect {...{ open: view.open, column, use: null, isOnly: false }} />}
        </div>
      )}
      {targets
        // A target that reads the column in a text has a line of its own, which stays while the columns in the text
        // change: its rule is shown there.
        .filter(({ columns }) => column === null || columns[0]?.as === 'from')
        .map((target, index) => (
          <TargetRule key={index} {...{ target, view }} />
        ))}
    </div>
  );
}

const mostShown = 8;

function Distribution({
  column,
  counted,
  view,
}: Omit<LineDetailsProps, 'line'> & { readonly column: ColumnStatistics }) {
  const { name, words, distinct, frequent } = column;
  const most = frequent[0]?.n ?? 1;
  return (
    <>
      <p class="note">
        {/distinct$/.test(words) || `${translateEngineText(words)} · `}
        {formatDistinct(distinct)}
      </p>
      <ul class="distribution" aria-label={t('Most frequent values of {column}', { column: name })}>
        {frequent.slice(0, mostShown).map(({ value, n }) => (
          <li key={value}>
            <span>
              <Button
                class="link"
                label={value}
                title={t('Show these rows')}
                onClick={() => (view.rowsOf.value = { cell: { column: name, text: value } })}
              />
            </span>
            <span class="track" aria-hidden="true">
              <span style={{ width: `${(n / most) * 100}%` }} />
            </span>
            <span class="note">
              {formatCount(n)} · {formatPercent(n, counted)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function formatDistinct({ n, atLeast }: ColumnStatistics['distinct']): string {
  return atLeast ? t('at least {n, number} distinct', { n }) : t('{n, number} distinct', { n });
}

const templateKeys = ['template', 'summary', 'text'] as const;
const withTable = /^(?:contact\.|customFields\.|tags$|lifecycle$|assignee$)/;

/** Returns true if a target may have a table of values: it reads one column, and its texts are no comment. */
export function hasValueTable({ name, rule }: TargetOutline): boolean {
  return toMapFromYaml(rule).has('from') && withTable.test(name);
}

/** The rule of a target: its template, its options, its table of values, and the trace of the current row. */
function TargetRule({ target, view }: TargetProps) {
  const keys = toMapFromYaml(target.rule);
  const template = templateKeys.find((key) => typeof keys.get(key) === 'string');
  const hasTable = hasValueTable(target);
  return (
    <div>
      <h3>{formatTargetWithKind(target)}</h3>
      <ValueTraceList {...{ target, view }} />
      {template !== undefined && (
        <TemplateEditor {...{ target, view, template }} key={template} text={String(keys.get(template))} />
      )}
      <RuleOptionFields target={target} open={view.open} />
      {hasTable && view.request !== null && (
        <ValueTableEditor {...{ target, open: view.open, request: view.request }} />
      )}
      {template === undefined && !hasTable && <p class="note">{t('Change it in the YAML.')}</p>}
    </div>
  );
}
