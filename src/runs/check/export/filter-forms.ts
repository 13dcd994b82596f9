import type { FilterValue } from '../../../workspace/endpoints/contacts.ts';
import type { Workspace } from '../../../workspace/index.ts';
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
  const refusalOf = async (condition: PlacedCondition['condition']): Promise<string | undefined> => {
    const answer = await workspace.contacts.list({ timezone, limit: 1, filter: { $and: [condition] } });
    return answer.kind === 'ok' ? undefined : answer.message;
  };
  for (const { condition, path } of conditions) {
    const { operator, value = '' } = condition;
    const kind = severalOf(operator);
    if (kind === undefined) continue;
    const written = formOf(value);
    const refusal = await refusalOf(condition);
    if (refusal === undefined) {
      found.push({ verdict: 'ok', text: `${operator}: the workspace takes ${written}` });
      continue;
    }
    const refused = `the workspace refuses ${operator} with ${written}`;
    const other = otherForm(value, kind);
    const otherRefusal = other === undefined ? undefined : await refusalOf({ ...condition, value: other });
    const reason =
      other === undefined || otherRefusal !== undefined
        ? `${refused}: ${refusal}`
        : `${refused} and takes ${formOf(other)}; write ${operator}: ${yamlOf(other)}`;
    found.push(wrong(pipeline.file, mistake(path, reason)));
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
