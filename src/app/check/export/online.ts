import { findCustomFieldMistakes } from '../../../pipeline/export/fields.ts';
import type { FilterConditionWithPath } from '../../../pipeline/export/filter.ts';
import { getMultiValueKind, isFilterValueList } from '../../../pipeline/export/filter-fields.ts';
import type { LoadedExportPipeline, LoadedExportSettings } from '../../../pipeline/export-settings.ts';
import type { ExportPipelineDocument } from '../../../pipeline/index.ts';
import { readCustomFields } from '../../../steps/ensure-field.ts';
import type { FilterValue, Workspace } from '../../../workspace/index.ts';
import { checkExportAccess } from '../access.ts';
import {
  createMistakeFinding,
  createNoteFinding,
  createOkFinding,
  type Finding,
  type UnformattedFinding,
} from '../finding.ts';

/** Checks an export against the workspace: token, custom fields, channels, filter, and the first page of contacts. */
export async function checkExportOnline(
  document: ExportPipelineDocument,
  workspace: Workspace,
): Promise<UnformattedFinding[]> {
  const { pipeline } = document;
  const access = await checkExportAccess(pipeline.export, workspace);
  if (access.some(({ denied }) => denied === true)) return access;
  const fields = await readCustomFields(workspace);
  const { mistakes, notes } = findCustomFieldMistakes(document, fields);
  // The workspace refuses a condition on a missing field in any form, so the forms are not tried.
  const forms = mistakes.length > 0 ? [] : await filterForms(document, workspace);
  return [
    createOkFinding(`workspace ${workspace.baseUrl}: token accepted, ${fields.length} custom fields`),
    ...access,
    ...mistakes.map((mistake) => createMistakeFinding(pipeline.file, mistake)),
    ...notes.map(createNoteFinding),
    ...(await channels(document, workspace)),
    ...lifecycles(pipeline.export),
    ...forms,
    // A filter that was refused for its form would be refused again.
    ...(forms.some(({ verdict }) => verdict === 'wrong') ? [] : await firstPage(document, workspace)),
  ];
}

async function channels(
  { pipeline, mistake }: ExportPipelineDocument,
  workspace: Workspace,
): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [index, channel] of (pipeline.export.templates?.channels ?? []).entries()) {
    const answer = await workspace.templates.list(channel, { limit: 1 });
    if (answer.kind === 'ok') {
      const isEmpty = answer.value.items.length === 0;
      found.push(
        isEmpty
          ? createNoteFinding(`channel ${channel} has no templates`)
          : createOkFinding(`channel ${channel} has templates`),
      );
    } else {
      const reason = `the templates of channel ${channel} cannot be read: ${answer.message}`;
      found.push(createMistakeFinding(pipeline.file, mistake(['templates', 'channels', index], reason)));
    }
  }
  return found;
}

function lifecycles({ contacts }: LoadedExportSettings): Finding[] {
  const named = (contacts?.filter ?? []).filter(({ category, value }) => category === 'lifecycle' && value);
  if (named.length === 0) return [];
  const stages = named.map(({ value }) => JSON.stringify(value)).join(', ');
  return [
    createNoteFinding(
      `the API does not list lifecycle stages: check ${stages} by the contacts that are found`,
    ),
  ];
}

/**
 * Reads the first page of contacts with the export's filter; returns a finding with the size of the page or the
 * workspace's refusal, or no finding if the export reads no contacts.
 */
async function firstPage(
  { pipeline, mistake }: ExportPipelineDocument,
  workspace: Workspace,
): Promise<Finding[]> {
  const { contacts, messages, timezone, workspaceObjects } = pipeline.export;
  if (contacts === undefined && messages === undefined && !workspaceObjects.includes('tags')) return [];
  const { filter = [], search } = contacts ?? {};
  const answer = await workspace.contacts.list({
    timezone,
    ...(search === undefined ? {} : { search }),
    ...(filter.length === 0 ? {} : { filter: { $and: filter } }),
  });
  if (answer.kind !== 'ok') {
    const where = filter.length > 0 ? ['contacts', 'filter'] : [];
    return [
      createMistakeFinding(
        pipeline.file,
        mistake(where, `the workspace cannot list contacts this way: ${answer.message}`),
      ),
    ];
  }
  const { items, next } = answer.value;
  if (next === null) return [ofAll(pipeline, items.length, filter.length > 0 || search !== undefined)];
  return [createOkFinding(`${items.length} contacts on the first page, and more follow`)];
}

function ofAll({ export: { expect } }: LoadedExportPipeline, count: number, selected: boolean): Finding {
  const least = expect.contacts?.min ?? 0;
  const who = count === 1 ? '1 contact' : `${count} contacts`;
  const text = selected
    ? `${who} in total ${count === 1 ? 'matches' : 'match'} the filter`
    : `${who} in total`;
  if (count >= least) return count === 0 ? createNoteFinding(text) : createOkFinding(text);
  return createNoteFinding(
    `${text}; expect.contacts requires at least ${least}: the export would end with exit code 4`,
  );
}

/**
 * Checks how each condition with several values is written: reads one contact with this condition as the filter,
 * because the API does not document the form of several values. Reports whether the workspace accepts the form in the
 * file and, if not, which form it accepts.
 */
async function filterForms(
  { pipeline, conditions, mistake }: ExportPipelineDocument,
  workspace: Workspace,
): Promise<Finding[]> {
  const found: Finding[] = [];
  const { timezone } = pipeline.export;
  const ask = (condition: FilterConditionWithPath['condition']) =>
    workspace.contacts.list({ timezone, limit: 1, filter: { $and: [condition] } });
  for (const { condition, path } of conditions) {
    const { operator, value = '' } = condition;
    const kind = getMultiValueKind(operator);
    if (kind === undefined) continue;
    const written = formOf(value);
    const answer = await ask(condition);
    if (answer.kind === 'ok') {
      found.push(createOkFinding(`${operator}: the workspace accepts ${written}`));
    } else if (answer.kind === 'refused' && answer.status === 400) {
      const other = otherForm(value, kind);
      const takesOther = other !== undefined && (await ask({ ...condition, value: other })).kind === 'ok';
      const instead = takesOther
        ? ` and accepts ${formOf(other)}; write ${operator}: ${yamlOf(other)}`
        : `: ${answer.message}`;
      const reason = `the workspace refuses ${operator} with ${written}${instead}`;
      found.push(createMistakeFinding(pipeline.file, mistake(path, reason)));
    }
  }
  return found;
}

function formOf(value: FilterValue): string {
  if (typeof value === 'string') return 'a text';
  return isFilterValueList(value) ? 'a list' : '{ from, to }';
}

/**
 * Returns a list or range as text with commas, and text with commas as a list or range; undefined if a value has a
 * comma.
 */
function otherForm(value: FilterValue, kind: 'list' | 'range'): FilterValue | undefined {
  if (typeof value === 'object') {
    const values = isFilterValueList(value) ? value : [value.from, value.to];
    return values.some((each) => each.includes(',')) ? undefined : values.join(',');
  }
  const items = value.split(',').map((item) => item.trim());
  const [from = '', to = from] = items;
  return kind === 'list' ? items : { from, to };
}

function yamlOf(value: FilterValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isFilterValueList(value)) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
  return `{ from: ${JSON.stringify(value.from)}, to: ${JSON.stringify(value.to)} }`;
}
