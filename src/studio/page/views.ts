import type { ComponentType } from 'preact';
import { ExportsView } from './exports/exports-view.tsx';
import { FilesView } from './files/files-view.tsx';
import { FleetView } from './fleet/fleet-view.tsx';
import { HistoryView } from './history/history-view.tsx';
import { MappingView } from './mapping/mapping-view.tsx';
import { MergesView } from './merges/merges-view.tsx';
import { PlanView } from './plan/plan-view.tsx';
import { RunView } from './run/run-view.tsx';

/** A view of the page, shown at the address `#/name` and those that begin with `#/name/`. */
export interface View {
  readonly name: string;
  /** The title in the navigation. */
  readonly title: string;
  /** The component; `rest` are the segments after the name in the address. */
  readonly show: ComponentType<{ readonly rest: readonly string[] }>;
}

/** The views in the order of the navigation, which shows Fleet only if the project has one. */
export const views: readonly View[] = [
  { name: 'files', title: 'Files', show: FilesView },
  { name: 'mapping', title: 'Mapping', show: MappingView },
  { name: 'plan', title: 'Plan', show: PlanView },
  { name: 'merges', title: 'Merges', show: MergesView },
  { name: 'run', title: 'Run', show: RunView },
  { name: 'exports', title: 'Exports', show: ExportsView },
  { name: 'history', title: 'History', show: HistoryView },
  { name: 'fleet', title: 'Fleet', show: FleetView },
];
