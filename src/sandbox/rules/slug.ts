/** A slug made of the name, as a workspace gives to a custom field without one. */
export function slugFor(name: string, taken: (slug: string) => boolean): string {
  const plain =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '') || 'field';
  let slug = plain;
  for (let n = 2; taken(slug); n += 1) slug = `${plain}_${n}`;
  return slug;
}
