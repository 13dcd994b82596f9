import { cronFiles } from './cron.ts';
import type { Job, ScheduleFile } from './job.ts';
import { kubernetesFiles } from './kubernetes.ts';
import { systemdFiles } from './systemd.ts';

/** Every scheduler, and what it reads. */
export const schedulers = {
  cron: cronFiles,
  systemd: systemdFiles,
  kubernetes: kubernetesFiles,
} as const satisfies Readonly<Record<string, (job: Job) => readonly ScheduleFile[]>>;

export type Scheduler = keyof typeof schedulers;
