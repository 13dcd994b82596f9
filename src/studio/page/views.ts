import type { ComponentType } from 'preact';
import { ExportsView } from './exports/exports-view.tsx';
import { FilesView } from './files/files-view.tsx';
import { FleetView } from './fleet/fleet-view.tsx';
import { CheckView, HandOverView } from './hand-over/views.tsx';
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
  /** True for a step of an import, which the navigation shows first and in order. */
  readonly isStep?: true;
  /** The component; `rest` are the segments after the name in the address. */
  readonly show: ComponentType<{ readonly rest: readonly string[] }>;
}

/** The views in the order of the navigation; it shows Fleet only if the project has one. */
export const views: readonly View[] = [
  { name: 'files', title: 'Files', isStep: true, show: FilesView },
  { name: 'mapping', title: 'Mapping', isStep: true, show: MappingView },
  { name: 'plan', title: 'Plan', isStep: true, show: PlanView },
  { name: 'run', title: 'Run', isStep: true, show: RunView },
  { name: 'check', title: 'Check', isStep: true, show: CheckView },
  { name: 'hand-over', title: 'Hand over', isStep: true, show: HandOverView },
  { name: 'merges', title: 'Merges', show: MergesView },
  { name: 'exports', title: 'Exports', show: ExportsView },
  { name: 'history', title: 'History', show: HistoryView },
  { name: 'fleet', title: 'Fleet', show: FleetView },
];
