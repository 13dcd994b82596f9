import { dirname } from 'node:path';
import {
  computeTimeoutSeconds,
  createEnvFile,
  createJobArguments,
  createJobName,
  type ScheduledJob,
  type ScheduleFile,
  stopGraceSeconds,
} from './job.ts';
import { systemdTemplateTag } from './template.ts';

/** Creates a service unit, its timer, and the file of its variables. */
export function createSystemdFiles(job: ScheduledJob): readonly ScheduleFile[] {
  const name = createJobName(job);
  const variables = `/etc/longshore/${name}.env`;
  return [
    { name: `${name}.service`, text: service(job, name, variables) },
    { name: `${name}.timer`, text: timer(job) },
    createEnvFile(job, variables),
  ];
}

function service(job: ScheduledJob, name: string, variables: string): string {
  const { machine, workDir, exports, file, kind, pipeline } = job;
  const writes = [workDir, ...(exports === undefined ? [] : [exports])];
  // A private /tmp would hide files that are in /tmp.
  const inTmp = [machine.checkout, file, ...writes].some((path) => /^\/(?:var\/)?tmp\//.test(path));
  return systemdTemplateTag`# As root:
#   install -d -o ${machine.user} -m 700 ${{ shell: writes }}
#   install -D -m 600 ${name}.env ${variables}     and fill it in
#   install -m 644 ${name}.service ${name}.timer /etc/systemd/system/
#   systemctl daemon-reload && systemctl enable --now ${name}.timer
# Its exit codes are in the README; every one but 0 is a failure of the unit, so that OnFailure= works.
[Unit]
Description=Longshore: ${kind} of ${pipeline.replace(/\s+/g, ' ')}
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
Restart=no
User=${machine.user}
EnvironmentFile=${variables}
WorkingDirectory=${dirname(file)}
ExecStart=${{ command: [machine.node, machine.main, ...createJobArguments(job, file, workDir)] }}
TimeoutStartSec=${computeTimeoutSeconds(job) ?? 'infinity'}
TimeoutStopSec=${stopGraceSeconds}
KillMode=mixed
UMask=0077
ReadWritePaths=${{ paths: writes }}
PrivateTmp=${inTmp ? undefined : 'yes'}
${systemdHardening}
`;
}

/** The hardening settings of a service, which deny what neither a run nor a worker needs. */
export const systemdHardening = `NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=read-only
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native`;

function timer({ at, timezone, kind, pipeline }: ScheduledJob): string {
  const [hour, minute] = [at.hour, at.minute].map((part) => String(part).padStart(2, '0'));
  return systemdTemplateTag`[Unit]
Description=Longshore: ${kind} of ${pipeline.replace(/\s+/g, ' ')}, every night

[Timer]
OnCalendar=*-*-* ${hour}:${minute}:00 ${timezone}
# What the machine slept through is made up for.
Persistent=true
RandomizedDelaySec=5min

[Install]
WantedBy=timers.target
`;
}
