import type { Settings } from '../options.ts';
import { mergeContacts } from './contact-merge.ts';
import { contactStepRoutes, contactTagRoutes } from './contact-steps.ts';
import { contactRoutes } from './contacts.ts';
import type { Endpoint } from './endpoint.ts';
import { messageRoutes } from './messages.ts';
import { settingRoutes } from './settings.ts';
import { tagRoutes } from './tags.ts';

/** The operations that a sandbox with these switches serves: those of the specification, and extensions of it. */
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
