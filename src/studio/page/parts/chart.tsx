import { t } from '../language.ts';
import { DataTable } from './lists.tsx';

/** A column of a chart: its time span and value. */
export interface ChartColumn {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly when: string;
  readonly text: string;
}

interface ChartProps {
  readonly label: string;
  /** The heading of the times in the table, such as `Work time`. */
  readonly time: string;
  /** The heading of the values in the table, with their unit. */
  readonly value: string;
  /** The columns in order of time; a gap in time between two columns is left empty. */
  readonly parts: readonly ChartColumn[];
}

const [width, height] = [1_000, 100];

/** A column chart of values over time, each as wide as its time span, with the same figures in a table below. */
export function ColumnChart({ label, time, value, parts }: ChartProps) {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) return null;
  const top = parts.reduce((most, each) => (each.value > most.value ? each : most));
  const span = Math.max(1, last.to - first.from);
  const x = (at: number) => ((at - first.from) / span) * width;
  return (
    <figure class="chart">
      <figcaption>
        <b>{label}</b> <span class="note">{t('highest: {value}', { value: top.text })}</span>
      </figcaption>
      {/* A few columns are not stretched to the width of the page. */}
      <div style={{ maxWidth: `${Math.max(280, parts.length * 44)}px` }}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          style={{ fill: 'var(--created)' }}
        >
          {parts.map((part) => {
            const tall = top.value === 0 ? 0 : (part.value / top.value) * height;
            return (
              <rect
                key={part.from}
                x={x(part.from)}
                y={height - tall}
                width={Math.max(1, x(part.to) - x(part.from))}
                height={tall}
              >
                <title>
                  {part.when}: {part.text}
                </title>
              </rect>
            );
          })}
        </svg>
        <p class="with-count note" aria-hidden="true">
          <span>{first.when}</span>
          {last !== first && <span>{last.when}</span>}
        </p>
      </div>
      <details>
        <summary class="note">{t('{label} as a table', { label })}</summary>
        <DataTable
          label={t('{label} as a table', { label })}
          hasHeading
          columns={[time, { n: value }]}
          rows={parts.map(({ when, text }) => [when, text])}
        />
      </details>
    </figure>
  );
}
