import { stepLabels } from '../steps/registry.ts';

const words = new Map(stepLabels.map(({ name, label }) => [name, label]));

const order = [...words.keys()];

/** Steps by name, in their order, each with its words; a step that has none goes by its name and comes last. */
export function namedSteps<T>(
  steps: Readonly<Record<string, T>>,
): { readonly name: string; readonly label: string; readonly step: T }[] {
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(steps)
    .map(([name, step]) => ({ name, label: words.get(name) ?? name, step }))
    .sort((a, b) => place(a.name) - place(b.name));
}
