import { RunList } from './run-list.tsx';
import { RunPage } from './run-page.tsx';
import { StartImportSection } from './start-import.tsx';
import { StartedCommandPage } from './started-command.tsx';

/**
 * `#/run`: the start of an import, and the list of runs; `#/run/ID`: one run; `#/run/command/ID`: a command without a
 * run yet.
 */
export function RunView({ rest: [first, second] }: { readonly rest: readonly string[] }) {
  if (first === 'command' && second !== undefined) return <StartedCommandPage key={second} id={second} />;
  if (first !== undefined) return <RunPage key={first} run={first} />;
  return (
    <>
      <StartImportSection />
      <RunList />
    </>
  );
}
