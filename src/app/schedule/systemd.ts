import { dirname } from 'node:path';
import { shellQuoted } from '../../model/command-line.ts';
import {
  graceSeconds,
  type Job,
  jobName,
  jobWords,
  limitSeconds,
  type ScheduleFile,
  variablesFile,
} from './job.ts';
import { hardening, listed, specifiersKept, word } from './unit-words.ts';

/** A service, its timer, and the file of its variables. */
export function systemdFiles(job: Job): readonly ScheduleFile[] {
  const name = jobName(job);
  const variables = `/etc/longshore/${name}.env`;
  return [
    { name: `${name}.service`, text: service(job, name, variables) },
    { name: `${name}.timer`, text: timer(job) },
    variablesFile(job, variables),
  ];
}

function service(job: Job, name: string, variables: string): string {
  const { machine, workDir, exports, file, kind } = job;
  const writes = [workDir, ...(exports === undefined ? [] : [exports])];
  const paths = [machine.checkout, file, ...writes];
  const command = [machine.node, machine.main, ...jobWords(job, file, workDir)].map(word).join(' ');
  const limit = limitSeconds(job);
  const lines = [
    '# As root:',
    `#   install -d -o ${machine.user} -m 700 ${writes.map(shellQuoted).join(' ')}`,
    `#   install -D -m 600 ${name}.env ${variables}     and fill it in`,
    `#   install -m 644 ${name}.service ${name}.timer /etc/systemd/system/`,
    `#   systemctl daemon-reload && systemctl enable --now ${name}.timer`,
    '# Its exit codes are in the README; every one but 0 is a failure of the unit, so that OnFailure= works.',
    '[Unit]',
    `Description=Longshore: ${kind} of ${specifiersKept(job.pipeline.replace(/\s+/g, ' '))}`,
    'Wants=network-online.target',
    'After=network-online.target',
    '',
    '[Service]',
    'Type=oneshot',
    'Restart=no',
    `User=${machine.user}`,
    `EnvironmentFile=${variables}`,
    `WorkingDirectory=${specifiersKept(dirname(file))}`,
    `ExecStart=${command}`,
    `TimeoutStartSec=${limit ?? 'infinity'}`,
    `TimeoutStopSec=${graceSeconds}`,
    'KillMode=mixed',
    'UMask=0077',
    `ReadWritePaths=${writes.map(listed).join(' ')}`,
    // A private /tmp would hide what lies there.
    ...(paths.some((path) => /^\/(?:var\/)?tmp\//.test(path)) ? [] : ['PrivateTmp=yes']),
    ...hardening,
  ];
  return `${lines.join('\n')}\n`;
}

function timer({ at, timezone, kind, pipeline }: Job): string {
  const time = [at.hour, at.minute, 0].map((part) => String(part).padStart(2, '0')).join(':');
  const lines = [
    '[Unit]',
    `Description=Longshore: ${kind} of ${specifiersKept(pipeline.replace(/\s+/g, ' '))}, every night`,
    '',
    '[Timer]',
    `OnCalendar=*-*-* ${time} ${timezone}`,
    '# What the machine slept through is made up for.',
    'Persistent=true',
    'RandomizedDelaySec=5min',
    '',
    '[Install]',
    'WantedBy=timers.target',
  ];
  return `${lines.join('\n')}\n`;
}
