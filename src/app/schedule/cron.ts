import { dirname, join } from 'node:path';
import { shellQuoted as quoted } from '../../model/command-line.ts';
import { type Job, jobName, jobWords, type ScheduleFile, variablesFile } from './job.ts';

/** A crontab with one line, and the file of its variables. */
export function cronFiles(job: Job): readonly ScheduleFile[] {
  const { at, machine, timezone, workDir } = job;
  const name = jobName(job);
  const variables = join(machine.home, '.config', 'longshore', `${name}.env`);
  const log = join(workDir, `${name}.cron.log`);
  const run = [machine.node, machine.main, ...jobWords(job, job.file, workDir)].map(quoted).join(' ');
  const command = `umask 077; mkdir -p ${quoted(workDir)} && { set -a && . ${quoted(variables)} && set +a && ${run}; } >> ${quoted(log)} 2>&1`;
  const elsewhere = timezone !== machine.timezone;
  const lines = [
    `# ${job.kind} of ${oneLine(job.pipeline)}. Add it with: crontab -e`,
    `# Its variables: install -D -m 600 ${name}.env ${quoted(variables)}, then fill it in.`,
    `# What it prints: ${log}`,
    '# No flock is needed: a start that overlaps another ends at once with 6.',
    'SHELL=/bin/sh',
    `PATH=${[...new Set([dirname(machine.node), '/usr/local/bin', '/usr/bin', '/bin'])].join(':')}`,
    ...(elsewhere
      ? [
          '# cronie knows CRON_TZ; the cron of Debian and Ubuntu does not: there, use the machine time.',
          `CRON_TZ=${timezone}`,
        ]
      : []),
    // Where cron reads a command, a percent sign ends it.
    `${at.minute} ${at.hour} * * * ${command.replaceAll('%', '\\%')}`,
  ];
  return [{ name: `${name}.crontab`, text: `${lines.join('\n')}\n` }, variablesFile(job, variables)];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
