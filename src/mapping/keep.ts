import { contactFieldNames } from '../model/contact.ts';
import type { KeepRule, KeepRulesByField } from '../model/keep.ts';
import type { LoadedMapping } from './load.ts';
import { listFurtherValuesFields } from './schema/contact.ts';
import type { FieldRule } from './schema/field-rule.ts';

/**
 * Returns the keep rules of a mapping: those of fields with `keep`, and `union` for the custom fields of
 * further phones and e-mails.
 */
export function collectKeepRules({ mapping }: LoadedMapping): KeepRulesByField {
  return {
    contact: Object.fromEntries(contactFieldNames.flatMap((name) => stated(name, mapping.contact[name]))),
    customFields: Object.fromEntries([
      ...Object.entries(mapping.customFields ?? {}).flatMap(([name, rule]) => stated(name, rule)),
      ...listFurtherValuesFields(mapping.contact).map(
        ({ name }) => [name, { keep: 'union', join: furtherValuesSeparator }] as const,
      ),
    ]),
  };
}

/**
 * The separator between further phones or e-mails, and between values that `keep: union` joins without
 * `join`.
 */
export const furtherValuesSeparator = '; ';

function stated(name: string, rule: FieldRule | undefined): readonly (readonly [string, KeepRule])[] {
  return rule?.keep === undefined
    ? []
    : [[name, { keep: rule.keep, join: rule.join ?? furtherValuesSeparator }]];
}
