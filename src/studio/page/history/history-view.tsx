import { HandOverPage } from '../hand-over/hand-over-page.tsx';
import { RunsTable } from './runs-table.tsx';

/** `#/history`: all runs; `#/history/ID`: what a run has done, its files, its check and its undo. */
export function HistoryView({ rest: [run] }: { readonly rest: readonly string[] }) {
  return run === undefined ? <RunsTable /> : <HandOverPage key={run} run={run} />;
}
