import type * as z from 'zod';
import type { PreviewInput } from '../../../app/preview/given-input.ts';
import { findDataType } from '../../../datatypes/index.ts';
import { createMappingJsonSchema } from '../../../mapping/index.ts';
import type { PreviewJob, PreviewJobEvent } from '../../wire/jobs.ts';
import type { MappingInput, WorkspaceField } from '../../wire/mapping.ts';
import { routes } from '../../wire/routes.ts';
import { fieldsResultSchema } from '../../wire/schemas/fields-result.ts';
import * as schemas from '../../wire/schemas/mapping.ts';
import { processRequestSchema } from '../../wire/schemas/processes.ts';
import { emptyRequestSchema } from '../../wire/schemas/project.ts';
import { createRouteHandler, createStreamHandler, watchChanges } from '../handler.ts';
import { HttpError } from '../http-error.ts';
import { findMappingUses, resolveMappingInput } from '../mapping-input.ts';
import { readPrintedJson } from '../processes/output.ts';
import type { StudioContext } from '../studio.ts';
import { assertYamlPath, readTextFile } from '../yaml/yaml-file.ts';

/** The number of rows in a page. */
const rowsOfPage = 50;

export const mappingHandlers = [
  createRouteHandler(routes.mappingShown, schemas.mappingSummaryRequestSchema, ({ text }, { yaml }) =>
    yaml.run('shown', { text }),
  ),
  createRouteHandler(
    routes.editMapping,
    schemas.editMappingRequestSchema,
    async ({ text, edit }, { yaml }) => {
      const edited = await yaml.run('edit', { text, edit });
      if (edited.ok) return { text: edited.text };
      throw new HttpError(422, edited.reason);
    },
  ),
  createRouteHandler(routes.mappingUses, schemas.mappingFileRequestSchema, async ({ path }, studio) => ({
    uses: await findMappingUses(path, studio),
  })),
  createRouteHandler(routes.mappingSchema, emptyRequestSchema, () => createMappingJsonSchema()),
  createStreamHandler(
    routes.watchYaml,
    schemas.watchYamlRequestSchema,
    ({ path, tab }, { files, presence }, gone) => {
      assertYamlPath(path);
      const file = files.place(path);
      presence.enter(file, tab, gone);
      return watchChanges(async () => {
        const read = await readTextFile(files.existing(path));
        return { path, ...read, isOpenElsewhere: presence.hasOther(file, tab) };
      }, gone);
    },
  ),
  createStreamHandler(routes.mappingColumns, schemas.mappingColumnsRequestSchema, ({ input }, studio, gone) =>
    found(input, studio, gone, (given) => ({ kind: 'columns', input: given })),
  ),
  createStreamHandler(
    routes.mappingCounts,
    schemas.mappingCountsRequestSchema,
    ({ input, path, text }, studio, gone) =>
      found(input, studio, gone, (given) => ({
        kind: 'counts',
        input: given,
        mapping: { text, file: path },
      })),
  ),
  createStreamHandler(
    routes.mappingRow,
    schemas.mappingRowRequestSchema,
    ({ input, path, text, row }, studio, gone) =>
      found(input, studio, gone, (given) => ({
        ...{ kind: 'row', input: given, mapping: { text, file: path }, row },
      })),
  ),
  createRouteHandler(routes.workspaceNames, processRequestSchema, ({ id }, { processes }) => {
    const asked = readPrintedJson(processes, id, fieldsResultSchema);
    return { found: asked && { ...asked, fields: asked.fields.map(asTarget) } };
  }),
  createStreamHandler(
    routes.mappingValues,
    schemas.mappingValuesRequestSchema,
    ({ input, path, text, target }, studio, gone) =>
      found(input, studio, gone, (given) => ({
        ...{ kind: 'values', input: given, mapping: { text, file: path }, target },
      })),
  ),
  createStreamHandler(
    routes.mappingRows,
    schemas.mappingRowsRequestSchema,
    ({ input, path, text, ...query }, studio, gone) =>
      found(input, studio, gone, (given) => ({
        ...{ kind: 'rows', input: given, mapping: { text, file: path } },
        query: { ...query, limit: rowsOfPage },
      })),
  ),
];

function asTarget({
  name,
  dataType,
  allowedValues,
}: z.output<typeof fieldsResultSchema>['fields'][number]): WorkspaceField {
  const type = findDataType(dataType) === undefined ? 'text' : dataType;
  const isList = type === 'list' && allowedValues.length > 0;
  return { name, dataType, rule: { type, ...(isList && { allowed: allowedValues }) } };
}

/** Runs a job on the input of a mapping request, and yields its events. */
async function* found(
  input: MappingInput,
  studio: StudioContext,
  gone: AbortSignal,
  jobOn: (given: PreviewInput) => PreviewJob,
): AsyncGenerator<PreviewJobEvent> {
  yield* studio.jobs.run(jobOn(await resolveMappingInput(input, studio)), gone);
}
