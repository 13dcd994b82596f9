import { ExportList } from './export-list.tsx';
import { NewExport } from './new-export.tsx';
import { OneExport } from './one-export.tsx';

/** `#/exports`: the export pipelines, with a form for a new one at `#/exports/new`; `#/exports/NAME`: one with its exports. */
export function ExportsView({ rest: [pipeline] }: { readonly rest: readonly string[] }) {
  if (pipeline === 'new') return <NewExport />;
  return pipeline === undefined ? <ExportList /> : <OneExport key={pipeline} pipeline={pipeline} />;
}
