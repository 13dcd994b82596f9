import type { FilterValue, Workspace } from '../../../workspace/index.ts';
import type { PlacedCondition } from '../../pipeline/export/filter.ts';
import { isList, severalOf } from '../../pipeline/export/filter-fields.ts';
import type { ExportPipelineDocument } from '../../pipeline/index.ts';
import { type Finding, wrong } from '../finding.ts';

/**
 * Asks for one contact by each condition that has several values, because the interface does not say how they are
 * written: whether the workspace takes the form that the file has, and which one where it does not.
 */
export async function filterForms(
  { pipeline, conditions, mistake }: ExportPipelineDocument,
  workspace: Workspace,
): Promise<Finding[]> {
  const found: Finding[] = [];
  const { timezone } = pipeline.export;
  const ask = (condition: PlacedCondition['condition']) =>
    workspace.contacts.list({ timezone, limit: 1, filter: { $and: [condition] } });
  for (const { condition, path } of conditions) {
    const { operator, value = '' } = condition;
    const kind = severalOf(operator);
    if (kind === undefined) continue;
    const written = formOf(value);
    const answer = await ask(condition);
    if (answer.kind === 'ok') {
      found.push({ verdict: 'ok', text: `${operator}: the workspace accepts ${written}` });
    } else if (answer.kind === 'refused' && answer.status === 400) {
      const other = otherForm(value, kind);
      const takesOther = other !== undefined && (await ask({ ...condition, value: other })).kind === 'ok';
      const instead = takesOther
        ? ` and accepts ${formOf(other)}; write ${operator}: ${yamlOf(other)}`
        : `: ${answer.message}`;
      const reason = `the workspace refuses ${operator} with ${written}${instead}`;
      found.push(wrong(pipeline.file, mistake(path, reason)));
    }
  }
  return found;
}

function formOf(value: FilterValue): string {
  if (typeof value === 'string') return 'a text';
  return isList(value) ? 'a list' : '{ from, to }';
}

/** A list and a range as a text with commas, a text with commas as a list or a range; undefined where a value has a comma. */
function otherForm(value: FilterValue, kind: 'list' | 'range'): FilterValue | undefined {
  if (typeof value === 'object') {
    const values = isList(value) ? value : [value.from, value.to];
    return values.some((each) => each.includes(',')) ? undefined : values.join(',');
  }
  const items = value.split(',').map((item) => item.trim());
  const [from = '', to = from] = items;
  return kind === 'list' ? items : { from, to };
}

function yamlOf(value: FilterValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isList(value)) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
  return `{ from: ${JSON.stringify(value.from)}, to: ${JSON.stringify(value.to)} }`;
}
