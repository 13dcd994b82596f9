import type { CustomField } from '../../model/custom-field.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { unknownColumns } from '../pipeline/export/fields.ts';
import type { ExportRequest } from './request.ts';

/** Throws a FatalError where a column is of a custom field that the workspace does not have (any more): it would be empty. */
export function assertColumns(
  { pipeline, command }: Pick<ExportRequest, 'pipeline' | 'command'>,
  fields: readonly CustomField[],
): void {
  const [first, ...others] = unknownColumns(pipeline.export, fields);
  if (first === undefined) return;
  const more = others.map(({ reason }) => `; ${reason}`).join('');
  throw new FatalError('usage', `${first.reason}${more}`, {
    place: { file: pipeline.file, key: `export.contacts.columns.${first.heading}` },
    next: `Was it renamed? Fix the column, then: ${command(['check', pipeline.file, '--online'])}`,
  });
}
