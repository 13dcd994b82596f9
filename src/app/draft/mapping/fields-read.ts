import { z } from 'zod';
import { plainYaml } from '../../../mapping/index.ts';

const rule = z.object({ from: z.union([z.string(), z.array(z.string())]).optional() });
const written = z.object({
  key: z.union([z.string(), z.literal(false)]).optional(),
  contact: z.record(z.string(), rule),
  customFields: z.record(z.string(), rule).optional(),
  tags: rule.optional(),
  lifecycle: rule.optional(),
  assignee: rule.optional(),
  comments: z.array(z.object({ text: z.string(), each: z.string().optional() })).optional(),
});

/** Which column a drafted mapping reads for what: `Email` for `contact.email`. */
export function fieldsRead(text: string): ReadonlyMap<string, string> {
  const read = plainYaml(text);
  if ('mistake' in read) throw new Error(`the drafted mapping cannot be read: ${read.mistake}`);
  const { key, contact, customFields = {}, comments = [], ...contactSteps } = written.parse(read.value);
  const found = new Map<string, string>();
  const note = (column: string, field: string): void => {
    const other = found.get(column);
    found.set(column, other === undefined ? field : `${other}, ${field}`);
  };
  if (key) note(key, 'key');
  const all = [
    ...Object.entries(contact).map(([name, each]) => [`contact.${name}`, each] as const),
    ...Object.entries(customFields).map(([name, each]) => [`customFields.${name}`, each] as const),
    ...Object.entries(contactSteps),
  ];
  for (const [field, each] of all) for (const column of [each?.from ?? []].flat()) note(column, field);
  for (const { text: template } of comments.filter(({ each }) => each === undefined))
    for (const [, column = ''] of template.matchAll(/\{([^{}]+)\}/g)) note(column, 'comments');
  return found;
}
