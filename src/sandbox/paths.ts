import { settingsOf } from './options.ts';
import { matcherOf } from './pattern.ts';
import { endpointsOf } from './routes/registry.ts';

/** The paths of all operations, as the specification writes them, that a pattern of paths may match. */
export function pathsOf(pattern: string): readonly string[] {
  const all = endpointsOf(settingsOf({ extensions: { attachTags: true } })).map(({ template }) => template);
  const example = (template: string) => template.replace(/\{\w+\}/g, 'x');
  const matches = matcherOf({ path: pattern });
  const isAsTyped = (template: string) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pattern);
  return all.filter((template) => isAsTyped(template) || matches('', example(template), template));
}
