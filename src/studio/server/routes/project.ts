import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileFormatNames, parseInputSettings } from '../../../app/draft/input/stated.ts';
import type { PreviewInput } from '../../../app/preview/given-input.ts';
import type { Invocation } from '../../../app/run/command-line.ts';
import { readLongshoreEnvVariable } from '../../../app/run/variables.ts';
import { prepareWorkDir } from '../../../app/run/work-dir.ts';
import { listCountryCodes } from '../../../datatypes/index.ts';
import { fleetDatabaseVariable } from '../../../fleet/variables.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import { rowStateLabels } from '../../../report/words.ts';
import { makeOwnerOnlyFolder } from '../../../storage/own-folder.ts';
import { packageVersion } from '../../../storage/package.ts';
import { systemClock } from '../../../workspace/index.ts';
import type { FleetStatusResult } from '../../wire/fleet.ts';
import { type RouteRequest, routes } from '../../wire/routes.ts';
import { draftResultSchema } from '../../wire/schemas/draft-result.ts';
import {
  inputPreviewRequestSchema,
  newerInputRequestSchema,
  similarImportsRequestSchema,
} from '../../wire/schemas/inputs.ts';
import { processRequestSchema } from '../../wire/schemas/processes.ts';
import {
  checkYamlRequestSchema,
  connectRequestSchema,
  emptyRequestSchema,
  startSessionRequestSchema,
  uploadRequestSchema,
  writeYamlRequestSchema,
  yamlFileRequestSchema,
} from '../../wire/schemas/project.ts';
import { addSample } from '../add-sample.ts';
import { testWorkspaceConnection } from '../connect.ts';
import {
  createRouteHandler,
  createStreamHandler,
  createUploadHandler,
  type RouteHandler,
} from '../handler.ts';
import { HttpError } from '../http-error.ts';
import { getUploadFolder, listProjectFiles, readFileFacts } from '../list-files.ts';
import { createNewerInputJob, createSimilarImportsJob, listProjectImports } from '../mapping-input.ts';
import { readPrintedJson } from '../processes/output.ts';
import type { ProjectPathResolver } from '../project.ts';
import { findConnectedWorkspace } from '../target.ts';
import { assertYamlPath, readTextFile, writeTextFile } from '../yaml/yaml-file.ts';

/** The labels of the states of rows on the page: those of the commands, without terms of the YAML and the reports. */
export const pageRowStateLabels: typeof rowStateLabels = {
  ...rowStateLabels,
  folded: {
    ...rowStateLabels.folded,
    label: 'same person as another row',
    meaning: 'merged into that row',
  },
  proposed: { ...rowStateLabels.proposed, label: 'waiting for your answer' },
  filtered: { ...rowStateLabels.filtered, meaning: 'left out by a filter of the pipeline, or an empty row' },
};

/** The handlers of the routes of the project and its files, and of the fleet. */
export const projectHandlers: readonly RouteHandler[] = [
  createRouteHandler(routes.startSession, startSessionRequestSchema, ({ code }, { sessions }) => {
    const token = sessions.exchange(code);
    if (token !== undefined) return { token };
    throw new HttpError(403, 'This link was used already.', {
      next: 'Press Enter in the terminal in which the studio runs: it shows a new one.',
    });
  }),
  createRouteHandler(routes.connect, connectRequestSchema, async ({ baseUrl, token }, { tokens }) => {
    const reached = await testWorkspaceConnection(baseUrl, token);
    tokens.connect(reached.workspace, reached.token);
    return { workspace: reached.workspace };
  }),
  createRouteHandler(
    routes.project,
    emptyRequestSchema,
    (_, { files, readOnly, typing, opened, tokens }) => ({
      ...{ folder: files.folder, name: basename(files.folder) },
      workspace: findConnectedWorkspace(tokens),
      ...{ readOnly, version: packageVersion, typing, opened, formats: fileFormatNames },
      hasFleet: readLongshoreEnvVariable(fleetDatabaseVariable) !== '',
      countries: listCountryCodes(),
      rowStates: Object.entries(pageRowStateLabels).map(([state, words]) => ({ state, ...words })),
    }),
  ),
  createRouteHandler(routes.addSample, emptyRequestSchema, (_, { files }) => addSample(files)),
  createRouteHandler(routes.files, emptyRequestSchema, (_, { files }) => listProjectFiles(files)),
  createUploadHandler(
    routes.upload,
    uploadRequestSchema,
    async ({ name, folder: together = '' }, { files }, bytes) => {
      prepareWorkDir(files.workDir, () => {});
      const folder = join(getUploadFolder(files.workDir), together);
      makeOwnerOnlyFolder(folder);
      const path = freePath(folder, name);
      const part = `${path}.part`;
      try {
        // The upload is renamed when complete, so that a broken connection leaves no partial file.
        await pipeline(bytes, createWriteStream(part, { flags: 'wx', mode: 0o600 }));
        await rename(part, path);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
      return { path: files.named(path), kind: 'input', ...readFileFacts(path) };
    },
  ),
  // YAML files.
  createRouteHandler(routes.readYaml, yamlFileRequestSchema, async ({ path }, { files }) => {
    assertYamlPath(path);
    return { path, ...(await readTextFile(files.existing(path))) };
  }),
  createRouteHandler(routes.writeYaml, writeYamlRequestSchema, async ({ path, text, etag }, { files }) => {
    assertYamlPath(path);
    return { path, ...(await writeTextFile(files.place(path), text, etag)) };
  }),
  createRouteHandler(
    routes.checkYaml,
    checkYamlRequestSchema,
    async ({ path, text }, { files, yaml, invocation }) => {
      assertYamlPath(path);
      const checked = text ?? (await readTextFile(files.existing(path))).text;
      return { findings: await yaml.run('check', { text: checked, name: path, invocation }) };
    },
  ),
  // Inputs and drafts, and the fleet.
  createStreamHandler(
    routes.look,
    inputPreviewRequestSchema,
    ({ rows, seed, ...typed }, { files, jobs }, gone) =>
      jobs.run({ kind: 'look', input: inputOf(typed, files), rows, seed }, gone),
  ),
  createRouteHandler(routes.imports, emptyRequestSchema, async (_, studio) => ({
    imports: await listProjectImports(studio),
  })),
  createStreamHandler(
    routes.similarImports,
    similarImportsRequestSchema,
    async function* (typed, studio, gone) {
      yield* studio.jobs.run(await createSimilarImportsJob(inputOf(typed, studio.files), studio), gone);
    },
  ),
  createStreamHandler(
    routes.newerInput,
    newerInputRequestSchema,
    async function* ({ pipeline, ...typed }, studio, gone) {
      yield* studio.jobs.run(await createNewerInputJob(inputOf(typed, studio.files), pipeline, studio), gone);
    },
  ),
  createRouteHandler(routes.draftResult, processRequestSchema, ({ id }, { processes, files }) => {
    const drafted = readPrintedJson(processes, id, draftResultSchema);
    if (drafted === null) return { drafted };
    const named = (file: string): string => files.named(resolve(files.folder, file));
    return {
      drafted: {
        ...drafted,
        mapping: { file: named(drafted.mapping.file) },
        pipeline: { file: named(drafted.pipeline.file) },
      },
    };
  }),
  createStreamHandler(routes.watchFleet, emptyRequestSchema, (_, { invocation }, gone) =>
    statusUntil(gone, invocation),
  ),
];

function inputOf(
  { path, ...typed }: RouteRequest<'similarImports'>,
  files: ProjectPathResolver,
): PreviewInput {
  const spoolDir = join(files.workDir, 'spool');
  return { path: files.existing(path), spoolDir, stated: parseInputSettings(typed) };
}

/** Returns an unused path for an upload, because an earlier one of that name may be in use. */
function freePath(folder: string, name: string): string {
  const ending = extname(name);
  const stem = name.slice(0, name.length - ending.length);
  for (let n = 1; ; n += 1) {
    const path = join(folder, n === 1 ? name : `${stem}-${n}${ending}`);
    if (!existsSync(path) && !existsSync(`${path}.part`)) return path;
  }
}

/** The time until the next attempt to reach the database (ms). */
const paceMs = 2_000;

async function* statusUntil(gone: AbortSignal, invocation: Invocation): AsyncGenerator<FleetStatusResult> {
  // The fleet is loaded on demand, because its packages are optional.
  const { toFleetStatus, pollFleetStatus: watchStatus } = await import('../../../fleet/index.ts');
  for (;;) {
    try {
      for await (const status of watchStatus(
        readLongshoreEnvVariable(fleetDatabaseVariable),
        systemClock,
        gone,
      ))
        yield { status: toFleetStatus(status, invocation) };
    } catch (error) {
      if (!(error instanceof FatalError) || error.reason !== 'unreachable') throw error;
      yield { silent: error.message };
    }
    await systemClock.sleep(paceMs, gone);
  }
}
