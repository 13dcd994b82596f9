import { PastRunPage } from './past-run.tsx';
import { RunsTable } from './runs-table.tsx';

/** `#/history`: all runs; `#/history/ID`: the report of a run, its verification and its undo. */
export function HistoryView({ rest: [run] }: { readonly rest: readonly string[] }) {
  return run === undefined ? <RunsTable /> : <PastRunPage key={run} run={run} />;
}
