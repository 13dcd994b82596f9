/** A word of a command line in a unit: `%` and `$` mean themselves. */
export function word(text: string): string {
  return quoted(specifiersKept(text).replaceAll('$', '$$$$'));
}

/** A path of a list in a unit, in which `$` is nothing special. */
export function listed(path: string): string {
  return quoted(specifiersKept(path));
}

/** A text in which `%` means itself. */
export function specifiersKept(text: string): string {
  return text.replaceAll('%', '%%');
}

function quoted(plain: string): string {
  return /^[\w@%+=:,./$-]+$/.test(plain)
    ? plain
    : `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** What a service of ours needs nothing of. */
export const hardening: readonly string[] = [
  'NoNewPrivileges=yes',
  'CapabilityBoundingSet=',
  'ProtectSystem=strict',
  'ProtectHome=read-only',
  'PrivateDevices=yes',
  'ProtectClock=yes',
  'ProtectHostname=yes',
  'ProtectControlGroups=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'LockPersonality=yes',
  'SystemCallArchitectures=native',
];
