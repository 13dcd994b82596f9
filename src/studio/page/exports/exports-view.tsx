import { ExportPipelineList } from './export-list.tsx';
import { NewExportForm } from './new-export.tsx';
import { ExportPipelinePage } from './one-export.tsx';

/** `#/exports`: the export pipelines; `#/exports/new`: a form for a new one; `#/exports/NAME`: one. */
export function ExportsView({ rest: [pipeline] }: { readonly rest: readonly string[] }) {
  if (pipeline === 'new') return <NewExportForm />;
  return pipeline === undefined ? (
    <ExportPipelineList />
  ) : (
    <ExportPipelinePage key={pipeline} pipeline={pipeline} />
  );
}
