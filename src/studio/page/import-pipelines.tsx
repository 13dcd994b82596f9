import { useRouteAnswer } from './hooks.ts';
import { ProblemNotice } from './parts/notice.tsx';
import { project } from './project.ts';

/**
 * Returns the paths of the project's import pipelines, undefined until they are listed; `first` is the one to
 * select by default: the one that the studio was started with, or else the first of the list.
 */
export function useImportPipelines() {
  const { value, problem } = useRouteAnswer('files', {});
  const found = value.value?.files.flatMap(({ kind, path }) => (kind === 'import' ? [path] : []));
  const opened = found?.find((path) => path === project.value.opened);
  return { paths: found, first: opened ?? found?.[0], problem: problem.value };
}

/** A notice that there is no import pipeline yet, or that the list cannot be read; otherwise nothing. */
export function NoPipelinesNotice({ paths, problem }: Omit<ReturnType<typeof useImportPipelines>, 'first'>) {
  return (
    <>
      <ProblemNotice problem={problem} />
      {paths?.length === 0 && (
        <p>
          There is no pipeline that imports below this folder yet.{' '}
          <code>{project.value.typing.program} draft FILE</code> writes one.
        </p>
      )}
    </>
  );
}
