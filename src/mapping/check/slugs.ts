import type { CustomField } from '../../model/custom-field.ts';
import type { Mapping } from '../schema.ts';

/** A field that has a slug; `isCertain` is false where the slug is only likely, because a workspace does not list it. */
interface SlugOwner {
  readonly name: string;
  readonly where: 'workspace' | 'mapping';
  readonly isCertain: boolean;
}

/**
 * Returns for each custom field that the mapping creates with a slug of another field, by its name, the reason why it
 * cannot be created.
 */
export function findSlugMistakes(
  { customFields: rules = {} }: Mapping,
  fields: readonly CustomField[],
): ReadonlyMap<string, string> {
  const owners = new Map<string, SlugOwner>();
  for (const field of fields) {
    const { name } = field;
    const certain = field.slug ?? undefined;
    const slug = certain ?? rules[name]?.slug ?? slugOfName(name);
    if (slug !== undefined)
      owners.set(slug.toLowerCase(), { name, where: 'workspace', isCertain: certain !== undefined });
  }
  const mistakes = new Map<string, string>();
  for (const [name, { create, slug }] of Object.entries(rules)) {
    if (!create || slug === undefined || fields.some((field) => field.name === name)) continue;
    const owner = owners.get(slug.toLowerCase());
    if (owner === undefined) owners.set(slug.toLowerCase(), { name, where: 'mapping', isCertain: true });
    else mistakes.set(name, explain(slug, owner, unused(slug, owners)));
  }
  return mistakes;
}

function explain(slug: string, { name, where, isCertain }: SlugOwner, free: string): string {
  const other =
    where === 'workspace' ? `the workspace's field ${JSON.stringify(name)}` : JSON.stringify(name);
  const has = isCertain ? 'has' : 'most likely has';
  return `${other} ${has} the slug ${JSON.stringify(slug)} already; write another one here, such as ${free}`;
}

function unused(slug: string, owners: ReadonlyMap<string, SlugOwner>): string {
  for (let number = 2; ; number += 1) {
    const free = `${slug}_${number}`;
    if (!owners.has(free.toLowerCase())) return free;
  }
}

/** Returns the slug that a field with this name is likely to have; undefined if letters of the name do not fit in one. */
function slugOfName(name: string): string | undefined {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  if (/[^a-z0-9\P{L}]/u.test(plain)) return undefined;
  return plain.replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '') || undefined;
}
