import type { NotifySettings } from '../../pipeline/index.ts';
import { type Finding, note, ok } from './finding.ts';

/** What there is to say of a pipeline's alerts; `isSet` says of an environment variable whether it holds something. */
export function checkAlerts(
  notify: NotifySettings | undefined,
  isSet: (variable: string) => boolean,
): readonly Finding[] {
  if (notify === undefined) return [];
  const { url, on, secretEnv } = notify;
  const whom = `alerts go to ${new URL(url).host} (${on.join(', ')})`;
  if (isSet(secretEnv)) return [ok(`${whom}, signed with ${secretEnv}`)];
  return [
    {
      ...note(`${whom} unsigned: ${secretEnv} is not set, so the receiver cannot verify the sender`),
      next: `export ${secretEnv}=…   (any long random text; the receiver needs it, too)`,
    },
  ];
}
