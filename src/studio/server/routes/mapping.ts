import type * as z from 'zod';
import type { PreviewSource } from '../../../app/preview/given-input.ts';
import { dataTypeOf } from '../../../datatypes/index.ts';
import { mappingJsonSchema } from '../../../mapping/index.ts';
import type { InputEvent, InputJob } from '../../wire/jobs.ts';
import type { MappingInput, WorkspaceField } from '../../wire/mapping.ts';
import { routes } from '../../wire/routes.ts';
import { fieldsResult } from '../../wire/schemas/fields-result.ts';
import * as schemas from '../../wire/schemas/mapping.ts';
import { processChoice } from '../../wire/schemas/processes.ts';
import { nothing } from '../../wire/schemas/project.ts';
import { changesOf, handle, handleStream } from '../handler.ts';
import { givenInput, usesOf } from '../mapping-input.ts';
import { printed } from '../processes/output.ts';
import { RequestRefusal } from '../refusal.ts';
import type { Studio } from '../studio.ts';
import { assertYaml, readText } from '../yaml/yaml-file.ts';

/** The rows of a reason in one page. */
const rowsOfPage = 50;

export const mappingHandlers = [
  handle(routes.mappingShown, schemas.mappingText, ({ text }, { yaml }) => yaml.run('shown', { text })),
  handle(routes.editMapping, schemas.mappingEdit, async ({ text, edit }, { yaml }) => {
    const edited = await yaml.run('edit', { text, edit });
    if (edited.ok) return { text: edited.text };
    throw new RequestRefusal(422, edited.reason);
  }),
  handle(routes.mappingUses, schemas.mappingChoice, async ({ path }, studio) => ({
    uses: await usesOf(path, studio),
  })),
  handle(routes.mappingSchema, nothing, () => mappingJsonSchema()),
  handleStream(routes.watchYaml, schemas.mappingChoice, ({ path }, { files }, gone) => {
    assertYaml(path);
    return changesOf(async () => ({ path, ...(await readText(files.existing(path))) }), gone);
  }),
  handleStream(routes.mappingColumns, schemas.columnsQuestion, ({ input }, studio, gone) =>
    found(input, studio, gone, (given) => ({ kind: 'columns', input: given })),
  ),
  handleStream(routes.mappingCounts, schemas.countsQuestion, ({ input, path, text }, studio, gone) =>
    found(input, studio, gone, (given) => ({ kind: 'counts', input: given, mapping: { text, file: path } })),
  ),
  handleStream(routes.mappingRow, schemas.rowQuestion, ({ input, path, text, row }, studio, gone) =>
    found(input, studio, gone, (given) => ({
      ...{ kind: 'row', input: given, mapping: { text, file: path }, row },
    })),
  ),
  handle(routes.workspaceFields, processChoice, ({ id }, { processes }) => {
    const asked = printed(processes, id, fieldsResult);
    return { found: asked && { ...asked, fields: asked.fields.map(asTarget) } };
  }),
  handleStream(routes.mappingValues, schemas.valuesQuestion, ({ input, path, text, target }, studio, gone) =>
    found(input, studio, gone, (given) => ({
      ...{ kind: 'values', input: given, mapping: { text, file: path }, target },
    })),
  ),
  handleStream(
    routes.mappingReason,
    schemas.reasonQuestion,
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
}: z.output<typeof fieldsResult>['fields'][number]): WorkspaceField {
  const type = dataTypeOf(dataType) === undefined ? 'text' : dataType;
  const isList = type === 'list' && allowedValues.length > 0;
  return { name, dataType, rule: { type, ...(isList && { allowed: allowedValues }) } };
}

/** Runs a job on the input of a mapping request. */
async function* found(
  input: MappingInput,
  studio: Studio,
  gone: AbortSignal,
  jobOn: (given: PreviewSource) => InputJob,
): AsyncGenerator<InputEvent> {
  yield* studio.jobs.run(jobOn(await givenInput(input, studio)), gone);
}
