import { type SandboxSettings, toSandboxSettings } from '../options.ts';
import { createRequestMatcher } from '../pattern.ts';
import { mergeContactsRoute } from './contact-merge.ts';
import { contactStepRoutes, contactTagRoutes } from './contact-steps.ts';
import { contactRoutes } from './contacts.ts';
import type { SandboxEndpoint } from './endpoint.ts';
import { messageRoutes } from './messages.ts';
import { workspaceSettingRoutes } from './settings.ts';
import { tagRoutes } from './tags.ts';

/** Returns the operations that a sandbox with these settings serves: the specification's, and enabled extensions. */
export function listEndpoints(settings: SandboxSettings): readonly SandboxEndpoint[] {
  return [
    ...[
      ...contactRoutes,
      mergeContactsRoute,
      ...contactStepRoutes,
      ...messageRoutes,
      ...workspaceSettingRoutes,
      ...tagRoutes,
    ],
    ...(settings.extensions.attachTags === true ? contactTagRoutes : []),
  ];
}

/** Returns the path templates of all operations that a pattern of paths may match. */
export function findMatchingPathTemplates(pattern: string): readonly string[] {
  const all = listEndpoints(toSandboxSettings({ extensions: { attachTags: true } })).map(
    ({ template }) => template,
  );
  const example = (template: string) => template.replace(/\{\w+\}/g, 'x');
  const matches = createRequestMatcher({ path: pattern });
  const isAsTyped = (template: string) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pattern);
  return all.filter((template) => isAsTyped(template) || matches('', example(template), template));
}
