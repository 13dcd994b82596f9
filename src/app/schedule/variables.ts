import type { LoadedExportPipeline } from '../../pipeline/export-settings.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { parseWorkspaceAccessOptions } from '../../sources/workspace/options.ts';
import { isLiveWorkspaceInput } from '../run/input.ts';
import type { JobEnvVariable } from './job.ts';

/**
 * Returns the environment variables that a pipeline reads; `known` returns the value of one that is not
 * secret, if set.
 */
export function listPipelineEnvVariables(
  pipeline: LoadedImportPipeline | LoadedExportPipeline,
  workspace: string | undefined,
  known: (name: string) => string | undefined,
): readonly JobEnvVariable[] {
  const asked = 'import' in pipeline ? pipeline.import : pipeline.export;
  const address = (name: string, stated: string | undefined) =>
    stated === undefined ? [{ name, value: known(name), required: true }] : [];
  const secret = (name: string, required: boolean) => ({ name, value: undefined, required });
  const source =
    'import' in pipeline && isLiveWorkspaceInput(pipeline)
      ? [parseWorkspaceAccessOptions(pipeline.import.source.options)]
      : [];
  const variables: readonly JobEnvVariable[] = [
    ...(workspace === 'sandbox'
      ? []
      : [
          ...address('LONGSHORE_BASE_URL', workspace ?? asked.workspace.baseUrl),
          secret(asked.workspace.tokenEnv, true),
        ]),
    ...source.flatMap(({ baseUrl, tokenEnv }) => [
      ...address('LONGSHORE_SOURCE_BASE_URL', baseUrl),
      secret(tokenEnv, true),
    ]),
    ...(asked.notify === undefined ? [] : [secret(asked.notify.secretEnv, false)]),
  ];
  return variables.filter(({ name }, index) => variables.findIndex((other) => other.name === name) === index);
}
