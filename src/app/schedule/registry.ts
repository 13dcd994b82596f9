import { dirname, join } from 'node:path';
import { quoteForShell } from '../../model/shell-quoted.ts';
import {
  assertNoLineBreaks,
  createEnvFile,
  createJobArguments,
  createJobName,
  type ScheduledJob,
  type ScheduleFile,
} from './job.ts';
import { createKubernetesFiles } from './kubernetes.ts';
import { createSystemdFiles } from './systemd.ts';
import { crontabTemplateTag } from './template.ts';

/** The function that creates the files of each scheduler. */
const schedulers = {
  cron: cronFiles,
  systemd: createSystemdFiles,
  kubernetes: createKubernetesFiles,
} as const satisfies Readonly<Record<string, (job: ScheduledJob) => readonly ScheduleFile[]>>;

export type SchedulerName = keyof typeof schedulers;

/** Creates the files of a scheduler; throws a FatalError (usage) if a path or a value cannot be written into them. */
export function createScheduleFiles(scheduler: SchedulerName, job: ScheduledJob): readonly ScheduleFile[] {
  assertNoLineBreaks(job);
  return schedulers[scheduler](job);
}

/** Creates a crontab with one line, and the file of its variables. */
function cronFiles(job: ScheduledJob): readonly ScheduleFile[] {
  const { at, machine, timezone, workDir, kind, pipeline } = job;
  const name = createJobName(job);
  const variables = join(machine.home, '.config', 'longshore', `${name}.env`);
  const log = join(workDir, `${name}.cron.log`);
  const path = new Set([dirname(machine.node), '/usr/local/bin', '/usr/bin', '/bin']);
  const zone =
    timezone === machine.timezone
      ? undefined
      : `# cronie knows CRON_TZ; the cron of Debian and Ubuntu does not: there, use the machine time.\nCRON_TZ=${timezone}`;
  const text = crontabTemplateTag`# ${kind} of ${pipeline.replace(/\s+/g, ' ')}. Add it with: crontab -e
# Its variables: install -D -m 600 ${name}.env ${quoteForShell(variables)}, then fill it in.
# What it prints: ${log}
# No flock is needed: a start that overlaps another ends at once with 6.
SHELL=/bin/sh
PATH=${[...path].join(':')}
${zone}
${at.minute} ${at.hour} * * * umask 077; mkdir -p ${{ shell: [workDir] }} && { set -a && . ${{ shell: [variables] }} && set +a && ${{ shell: [machine.node, machine.main, ...createJobArguments(job, job.file, workDir)] }}; } >> ${{ shell: [log] }} 2>&1
`;
  return [{ name: `${name}.crontab`, text }, createEnvFile(job, variables)];
}
