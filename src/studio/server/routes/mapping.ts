import type * as z from 'zod';
import type { PreviewSource } from '../../../app/preview/given-input.ts';
import { findDataType } from '../../../datatypes/index.ts';
import { createMappingJsonSchema } from '../../../mapping/index.ts';
import type { InputEvent, InputJob } from '../../wire/jobs.ts';
import type { MappingInput, WorkspaceField } from '../../wire/mapping.ts';
import { routes } from '../../wire/routes.ts';
import { fieldsResultSchema } from '../../wire/schemas/fields-result.ts';
import * as schemas from '../../wire/schemas/mapping.ts';
import { processRequest } from '../../wire/schemas/processes.ts';
import { emptyRequest } from '../../wire/schemas/project.ts';
import { handle, handleStream, watchChanges } from '../handler.ts';
import { findMappingUses, resolveMappingInput } from '../mapping-input.ts';
import { readPrintedJson } from '../processes/output.ts';
import { RequestRefusal } from '../refusal.ts';
import type { StudioContext } from '../studio.ts';
import { assertYaml, readTextFile } from '../yaml/yaml-file.ts';

/** The number of rows in a page of rows with a problem. */
const rowsOfPage = 50;

export const mappingHandlers = [
  handle(routes.mappingShown, schemas.mappingTextRequest, ({ text }, { yaml }) =>
    yaml.run('shown', { text }),
  ),
  handle(routes.editMapping, schemas.editMappingRequest, async ({ text, edit }, { yaml }) => {
    const edited = await yaml.run('edit', { text, edit });
    if (edited.ok) return { text: edited.text };
    throw new RequestRefusal(422, edited.reason);
  }),
  handle(routes.mappingUses, schemas.mappingFileRequest, async ({ path }, studio) => ({
    uses: await findMappingUses(path, studio),
  })),
  handle(routes.mappingSchema, emptyRequest, () => createMappingJsonSchema()),
  handleStream(routes.watchYaml, schemas.mappingFileRequest, ({ path }, { files }, gone) => {
    assertYaml(path);
    return watchChanges(async () => ({ path, ...(await readTextFile(files.existing(path))) }), gone);
  }),
  handleStream(routes.mappingColumns, schemas.mappingColumnsRequest, ({ input }, studio, gone) =>
    found(input, studio, gone, (given) => ({ kind: 'columns', input: given })),
  ),
  handleStream(routes.mappingCounts, schemas.mappingCountsRequest, ({ input, path, text }, studio, gone) =>
    found(input, studio, gone, (given) => ({ kind: 'counts', input: given, mapping: { text, file: path } })),
  ),
  handleStream(routes.mappingRow, schemas.mappingRowRequest, ({ input, path, text, row }, studio, gone) =>
    found(input, studio, gone, (given) => ({
      ...{ kind: 'row', input: given, mapping: { text, file: path }, row },
    })),
  ),
  handle(routes.workspaceFields, processRequest, ({ id }, { processes }) => {
    const asked = readPrintedJson(processes, id, fieldsResultSchema);
    return { found: asked && { ...asked, fields: asked.fields.map(asTarget) } };
  }),
  handleStream(
    routes.mappingValues,
    schemas.mappingValuesRequest,
    ({ input, path, text, target }, studio, gone) =>
      found(input, studio, gone, (given) => ({
        ...{ kind: 'values', input: given, mapping: { text, file: path }, target },
      })),
  ),
  handleStream(
    routes.mappingReason,
    schemas.mappingReasonRequest,
    ({ input, path, text, code, effect, from }, studio, gone) =>
      found(input, studio, gone, (given) => ({
        ...{ kind: 'rows', input: given, mapping: { text, file: path } },
        page: { code, effect, from, limit: rowsOfPage },
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
  jobOn: (given: PreviewSource) => InputJob,
): AsyncGenerator<InputEvent> {
  yield* studio.jobs.run(jobOn(await resolveMappingInput(input, studio)), gone);
}
