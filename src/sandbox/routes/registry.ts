import { type Settings, settingsOf } from '../options.ts';
import { matcherOf } from '../pattern.ts';
import { mergeContacts } from './contact-merge.ts';
import { contactStepRoutes, contactTagRoutes } from './contact-steps.ts';
import { contactRoutes } from './contacts.ts';
import type { Endpoint } from './endpoint.ts';
import { messageRoutes } from './messages.ts';
import { settingRoutes } from './settings.ts';
import { tagRoutes } from './tags.ts';

/** Returns the operations that a sandbox with these settings serves: the specification's, and enabled extensions. */
export function endpointsOf(settings: Settings): readonly Endpoint[] {
  return [
    ...[
      ...contactRoutes,
      mergeContacts,
      ...contactStepRoutes,
      ...messageRoutes,
      ...settingRoutes,
      ...tagRoutes,
    ],
    ...(settings.extensions.attachTags === true ? contactTagRoutes : []),
  ];
}

/** Returns the path templates of all operations that a pattern of paths may match. */
export function pathsOf(pattern: string): readonly string[] {
  const all = endpointsOf(settingsOf({ extensions: { attachTags: true } })).map(({ template }) => template);
  const example = (template: string) => template.replace(/\{\w+\}/g, 'x');
  const matches = matcherOf({ path: pattern });
  const isAsTyped = (template: string) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pattern);
  return all.filter((template) => isAsTyped(template) || matches('', example(template), template));
}
