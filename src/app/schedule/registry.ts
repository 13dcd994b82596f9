import { cronFiles } from './cron.ts';
import { assertOneLine, type Job, type ScheduleFile } from './job.ts';
import { kubernetesFiles } from './kubernetes.ts';
import { systemdFiles } from './systemd.ts';

/** Every scheduler, and what it reads. */
const schedulers = {
  cron: cronFiles,
  systemd: systemdFiles,
  kubernetes: kubernetesFiles,
} as const satisfies Readonly<Record<string, (job: Job) => readonly ScheduleFile[]>>;

export type Scheduler = keyof typeof schedulers;

/** The files that a scheduler reads. Throws a FatalError (usage) where a path or a value cannot stand in them. */
export function scheduleFiles(scheduler: Scheduler, job: Job): readonly ScheduleFile[] {
  assertOneLine(job);
  return schedulers[scheduler](job);
}
