import * as z from 'zod';
import { checkFieldRule, columnNameSchema, contactStepRuleShape, fieldRuleShape } from './field-rule.ts';

const tagDefinition = z.strictObject({
  description: z.string().exactOptional().describe('What the tag means.'),
  colorCode: z.string().exactOptional().describe('Its colour.'),
  emoji: z.string().exactOptional().describe('Its emoji.'),
});

/** The schema of `tags:`. */
export const tagsRuleSchema = z
  .strictObject({
    from: z
      .union([columnNameSchema, z.array(columnNameSchema).min(1)])
      .describe('The input column, or several: the tags of all are taken.'),
    ...contactStepRuleShape,
    strict: fieldRuleShape.strict,
    onInvalid: z
      .enum(['reject', 'drop'])
      .optional()
      .describe('What a tag rejected by strict does: reject the row (the default), or leave the tag out.'),
    split: fieldRuleShape.split.describe('Cuts the cell into tags at this text.'),
    attach: z
      .string()
      .regex(/^(?:file|extension|customField:.+)$/, 'attach is file, extension or customField:NAME')
      .default('file')
      .describe("Where a contact's tags go: file (the default), customField:NAME or extension."),
    define: z
      .record(z.string().min(1), tagDefinition)
      .optional()
      .describe('Descriptions, colours and emoji of tags.'),
    overwrite: z.boolean().optional().describe('Writes the definitions over existing tags, too.'),
    overflow: z
      .enum(['reject', 'first10'])
      .optional()
      .describe(
        'What more than 10 tags of a contact do: reject the row (the default), or keep the first 10.',
      ),
  })
  .superRefine(checkFieldRule)
  .describe("The contact's tags.");

export type TagsRule = z.output<typeof tagsRuleSchema>;

/** Returns the custom field that `attach` names, or undefined where tags go elsewhere. */
export function findTagsCustomFieldName({ attach }: TagsRule): string | undefined {
  return /^customField:(.+)$/.exec(attach)?.[1];
}
