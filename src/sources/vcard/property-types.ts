import { unescaped } from './escapes.ts';
import type { Property } from './property.ts';

/** Types that say nothing of where or how somebody is reached. */
const idle = new Set([
  'internet',
  'voice',
  'msg',
  'text',
  'textphone',
  'video',
  'x400',
  'dom',
  'intl',
  'postal',
  'parcel',
  'other',
]);
/** Numbers that nobody answers. */
const machines = new Set(['fax', 'pager', 'modem', 'bbs', 'isdn']);
const sameType: Readonly<Record<string, string>> = {
  mobile: 'cell',
  iphone: 'cell',
  homefax: 'fax',
  workfax: 'fax',
  otherfax: 'fax',
};

/** What groups are called: `item1.X-ABLabel:_$!<Mobile>!$_` names the type of `item1.TEL`. */
export function groupLabels(properties: readonly Property[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const { group, name, value } of properties) {
    if (group === null || name !== 'X-ABLABEL') continue;
    labels.set(
      group,
      unescaped(value)
        .replace(/^_\$!<(.*)>!\$_$/s, '$1')
        .trim()
        .toLowerCase(),
    );
  }
  return labels;
}

/** The types under which a property has columns of its own; of a machine, only which one it is. */
export function columnTypes(
  { group, types }: Property,
  labels: ReadonlyMap<string, string>,
): readonly string[] {
  const label = group === null ? undefined : labels.get(group);
  const all = label === undefined ? types : [...types, label];
  const named = new Set(
    all.map((type) => sameType[type] ?? type).filter((type) => type !== '' && !idle.has(type)),
  );
  const machine = [...named].filter(isMachine);
  return machine.length > 0 ? machine : [...named];
}

/** Whether a number of this type is no phone of a person. */
export function isMachine(type: string): boolean {
  return machines.has(type);
}
