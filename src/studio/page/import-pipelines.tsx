import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useRouteAnswer } from './hooks.ts';
import { rich } from './language.ts';
import { ProblemNotice } from './parts/notice.tsx';
import { buildHref } from './place.ts';
import { project } from './project.ts';

const key = 'longshore-pipeline';

/** The pipeline that this tab has worked on last, in any view; kept when the page is reloaded. */
const lastPipeline = signal(sessionStorage.getItem(key));

/** Makes a pipeline the one that the other views select by default. */
export function setDefaultImportPipeline(path: string): void {
  sessionStorage.setItem(key, path);
  lastPipeline.value = path;
}

/** Makes a pipeline the default of the other views; undefined changes nothing. */
export function useSetDefaultImportPipeline(path: string | undefined): void {
  useEffect(() => {
    if (path !== undefined) setDefaultImportPipeline(path);
  }, [path]);
}

/**
 * Returns the paths of the project's import pipelines, undefined until they are listed; `first` is the one to
 * select by default: the one that this tab has worked on last, else the one that the studio was started with,
 * else the first of the list. The list is read again after a change of `view`, and of what this tab works on, which may
 * be a new draft.
 */
export function useImportPipelines(view?: string) {
  const { value, problem } = useRouteAnswer('files', {}, `${view} ${lastPipeline.value}`);
  const found = value.value?.files.flatMap(({ kind, path }) => (kind === 'import' ? [path] : []));
  const named = [lastPipeline.value, project.value.opened].find(
    (path) => path !== null && found?.includes(path),
  );
  return { paths: found, first: named ?? found?.[0], problem: problem.value };
}

/** A notice that there is no import pipeline yet, or that the list cannot be read; otherwise nothing. */
export function NoPipelinesNotice({
  paths,
  problem,
}: Pick<ReturnType<typeof useImportPipelines>, 'paths' | 'problem'>) {
  return (
    <>
      <ProblemNotice problem={problem} />
      {paths?.length === 0 && (
        <p>
          {rich(
            'There is no import in this project yet. Choose a file in <a>Files</a>, and draft one from it.',
            { a: (parts) => <a href={buildHref('files')}>{parts}</a> },
          )}
        </p>
      )}
    </>
  );
}
