import { formatDuration, formatQuantity } from '../../report/figures.ts';
import type { Fleet } from '../fleet-file/fleet.ts';
import {
  type ApplyPlan,
  type AssignmentRow,
  isEmptyApplyPlan,
  type LimitChange,
  type RowChange,
} from './plan.ts';

const marks = { added: '+', changed: '~', removed: '-' };
const mostNames = 5;

/** Formats an apply plan for the terminal; workspaces with the same change share a line. */
export function formatApplyPlan(plan: ApplyPlan, fleet: Fleet, applied: boolean): string {
  const { workspaces, assignments, unchanged, limits, before } = plan;
  const head = `The fleet ${fleet.name} ${applied ? 'is' : 'would be'} as ${fleet.file} says`;
  const other =
    before !== undefined && before.name !== fleet.name
      ? [`! The database has the fleet ${before.name}: this would take its place.`]
      : [];
  const same =
    unchanged > 0 ? `; ${formatQuantity(unchanged, 'schedule stays', 'schedules stay')} as before` : '';
  const beginsImport = assignments.some(({ what, row }) => what === 'added' && row.kind === 'import');
  const results =
    fleet.places.results === undefined && beginsImport
      ? [
          '! places.results is not set: reports, rejects.csv and the lists to fill in stay on the machine of the worker.',
        ]
      : [];
  if (isEmptyApplyPlan(plan) && other.length === 0) return `${head}: nothing changes${same}.`;
  const lines = [
    ...grouped(
      workspaces.map(({ what, columns, row }) => ({
        text: `${marks[what]} workspace${changed(columns)}`,
        name: row.name,
      })),
    ),
    ...grouped(assignments.map((change) => ({ text: lineOf(change), name: change.row.workspace }))),
    ...limits.map(limitLine),
  ];
  return [`${head}${same}:`, ...other, ...lines.map((line) => `  ${line}`), ...results].join('\n');
}

/** Returns an apply plan as `fleet apply --json` prints it. */
export function toApplyPlanJson(
  { workspaces, assignments, unchanged, limits }: ApplyPlan,
  { name }: Fleet,
  applied: boolean,
) {
  return {
    fleet: name,
    applied,
    workspaces: workspaces.map(({ what, row, columns }) => ({ what, workspace: row.name, columns })),
    assignments: assignments.map(({ what, row, columns }) => ({
      ...{ what, workspace: row.workspace, pipeline: row.pipeline, kind: row.kind },
      ...{ schedule: row.schedule, priority: row.priority, columns },
    })),
    unchanged,
    limits,
  };
}

function lineOf({
  what,
  row: { pipeline, kind, schedule, priority },
  columns,
}: RowChange<AssignmentRow>): string {
  if (what === 'removed') return `${marks.removed} ${pipeline}`;
  const spread =
    schedule === null || schedule.spread === 0
      ? ''
      : `, spread over ${formatDuration(schedule.spread / 1_000)}`;
  const when = schedule === null ? 'when asked for' : `at ${schedule.cron} ${schedule.timezone}${spread}`;
  const first = priority === 0 ? '' : `, priority ${priority}`;
  return `${marks[what]} ${pipeline} (${kind}) ${when}${first}${changed(columns)}`;
}

const durations: ReadonlySet<string> = new Set(['slice', 'lease', 'settle', 'retryDelay']);

function limitLine({ limit, before, after }: LimitChange): string {
  const [was, is] = [before, after].map((value) => {
    if (value === null) return 'none';
    return durations.has(limit) ? formatDuration(value / 1_000) : String(value);
  });
  return `${marks.changed} limits.${limit}: ${was} → ${is}`;
}

const names: Readonly<Record<string, string>> = { base_url: 'address', settings: 'settings' };

function changed(columns: readonly string[]): string {
  return columns.length === 0 ? '' : ` [${columns.map((name) => names[name] ?? name).join(', ')}]`;
}

function grouped(lines: readonly { readonly text: string; readonly name: string }[]): string[] {
  const byText = new Map<string, string[]>();
  for (const { text, name } of lines) {
    const those = byText.get(text);
    if (those === undefined) byText.set(text, [name]);
    else those.push(name);
  }
  return [...byText].map(([text, those]) => {
    const shown = those.slice(0, mostNames);
    const rest = those.length - shown.length;
    return `${text}: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  });
}
