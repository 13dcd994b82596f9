import type { OnMatch } from '../../../../src/identity/decide.ts';
import type { FieldValues } from '../../../../src/model/draft.ts';
import type { Outcome } from '../../../../src/model/outcome.ts';
import { refusedName } from './model-workspace.ts';
import { mapRow, type Plain, type Scene } from './people.ts';

/** What must come out, by going through the rows one after the other in a world without trouble. */
export function expected(
  scene: Scene,
  onMatch: OnMatch,
): { readonly people: readonly Plain[]; readonly outcomes: readonly Outcome[] } {
  const people = scene.there.map((person) => ({ ...person }));
  const outcomes = scene.items.map((item): Outcome => {
    const mapped = item.kind === 'row' ? mapRow(item) : undefined;
    if (mapped === undefined || !mapped.ok) return 'rejected';
    const { values, defaults } = mapped.draft;
    const found = matches(people, values);
    const [match] = found;
    if (match !== undefined) return applied(people, match, found, values, onMatch);
    if (values.contact.firstName === refusedName) return 'rejected';
    people.push({
      fields: strings({ ...defaults.contact, ...values.contact }),
      custom: values.customFields,
    });
    return 'created';
  });
  return { people, outcomes };
}

/** Whom the e-mail and the phone lead to: the first of several. */
function matches(people: readonly Plain[], { contact }: FieldValues): readonly Plain[] {
  return (['email', 'phone'] as const).flatMap((kind) => {
    const value = contact[kind];
    const first = people.find(({ fields }) => value !== undefined && fields[kind] === value);
    return first === undefined ? [] : [first];
  });
}

function applied(
  people: Plain[],
  match: Plain,
  found: readonly Plain[],
  values: FieldValues,
  onMatch: OnMatch,
): Outcome {
  if (onMatch === 'skip') return 'skipped';
  if (onMatch === 'reject' || found.some((other) => other !== match)) return 'rejected';
  const wanted = { fields: strings(values.contact), custom: values.customFields };
  const [under, over] = onMatch === 'fill' ? [wanted, match] : [match, wanted];
  const after = {
    fields: { ...under.fields, ...over.fields },
    custom: { ...under.custom, ...over.custom },
  };
  if (show(after) === show(match)) return 'unchanged';
  if (after.fields.firstName === refusedName) return 'rejected';
  people.splice(people.indexOf(match), 1, after);
  return 'updated';
}

function strings(fields: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  const given = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  return Object.fromEntries(given);
}

/** A contact as text, whatever the order of its fields. */
export function show({ fields, custom }: Plain): string {
  const sorted = (values: object) => Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([sorted(fields), sorted(custom)]);
}
