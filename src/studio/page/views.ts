import type { ComponentType } from 'preact';
import { ExportsView } from './exports/exports-view.tsx';
import { FilesView } from './files/files-view.tsx';
import { FleetView } from './fleet/fleet-view.tsx';
import { CheckView, HandOverView } from './hand-over/views.tsx';
import { HistoryView } from './history/history-view.tsx';
import { t } from './language.ts';
import { MappingView } from './mapping/mapping-view.tsx';
import { MergesView } from './merges/merges-view.tsx';
import { PlanView } from './plan/plan-view.tsx';
import { project } from './project.ts';
import { RunView } from './run/run-view.tsx';

/** A view of the page, shown at the address `#/name` and those that begin with `#/name/`. */
export interface View {
  readonly name: string;
  readonly title: string;
  /** True for a step of an import, which the navigation shows first and in order. */
  readonly isStep?: true;
  /** The component; `rest` are the segments after the name in the address. */
  readonly show: ComponentType<{ readonly rest: readonly string[] }>;
}

/** The views in the order of the navigation. */
export const views: readonly View[] = [
  { name: 'files', title: t('Files'), isStep: true, show: FilesView },
  { name: 'mapping', title: t('Mapping'), isStep: true, show: MappingView },
  { name: 'plan', title: t('Plan'), isStep: true, show: PlanView },
  { name: 'run', title: t('Run'), isStep: true, show: RunView },
  { name: 'check', title: t('Check'), isStep: true, show: CheckView },
  { name: 'hand-over', title: t('Hand over'), isStep: true, show: HandOverView },
  { name: 'merges', title: t('Merges'), show: MergesView },
  { name: 'exports', title: t('Exports'), show: ExportsView },
  { name: 'history', title: t('History'), show: HistoryView },
  { name: 'fleet', title: t('Fleet'), show: FleetView },
];

/** Returns the views that the navigation shows: Fleet only if the project has a fleet. */
export function listShownViews(): readonly View[] {
  return views.filter(({ name }) => name !== 'fleet' || project.value.hasFleet);
}
