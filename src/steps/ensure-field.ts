import { z } from 'zod';
import { dataTypeNames } from '../datatypes/index.ts';
import type { CustomField, NewCustomField } from '../model/custom-field.ts';
import type { EndpointCallOptions } from '../workspace/index.ts';
import type { WorkspaceReads } from './port.ts';
import type { SettleResult, Step } from './step.ts';

const effectSchema = z.object({
  name: z.string(),
  dataType: z.enum(dataTypeNames),
  slug: z.string().exactOptional(),
  description: z.string().exactOptional(),
  allowedValues: z.array(z.string()).exactOptional(),
});

/**
 * The step that sends POST /space/custom_field, once for a field that the mapping may create; if the answer is lost,
 * the list of fields shows the result.
 */
export const customFieldEnsureStep: Step<NewCustomField> = {
  name: 'ensureField',
  label: 'custom fields created',
  eventuallyVisible: true,
  parse: (intent) => effectSchema.parse(intent),
  before: () => null,
  creates: () => [],
  mayArriveLate: () => [],
  async send(workspace, field, options) {
    const answer = await workspace.customFields.create(field, options);
    return answer.kind === 'ok' ? { kind: 'ok', value: { contactId: null } } : answer;
  },
  async settle(workspace, field, options): Promise<SettleResult> {
    const fields = await readCustomFields(workspace, options);
    return fields.some((known) => known.name === field.name)
      ? { kind: 'done', contact: null }
      : { kind: 'absent' };
  },
};

/** Returns all custom fields of the workspace. */
export async function readCustomFields(
  workspace: Pick<WorkspaceReads, 'customFields' | 'paginate'>,
  options?: EndpointCallOptions,
): Promise<CustomField[]> {
  const fields: CustomField[] = [];
  const list: typeof workspace.customFields.list = (page) => workspace.customFields.list(page, options);
  for await (const page of workspace.paginate(list)) fields.push(...page.items);
  return fields;
}
