import { posix, relative, sep } from 'node:path';
import { stringify } from 'yaml';
import {
  graceSeconds,
  type Job,
  jobName,
  jobWords,
  limitSeconds,
  type ScheduleFile,
  type Variable,
} from './job.ts';

/** Where the image of the Dockerfile in the head has the checkout. */
const home = '/app';
const workDir = '/work';
const user = 1_000;

/** Exit codes after which trying again at once is of no use: usage, rows for people, a guard or limit, the token. */
const finalCodes = [2, 3, 4, 5];

/** A PersistentVolumeClaim and a CronJob, in one file. */
export function kubernetesFiles(job: Job): readonly ScheduleFile[] {
  const name = jobName(job);
  const documents = [claim(name), cronJob(job, name)].map((document) =>
    stringify(document, { lineWidth: 0 }),
  );
  return [{ name: `${name}.yaml`, text: `${head(job, name)}${documents.join('---\n')}` }];
}

function head(job: Job, name: string): string {
  const secrets = job.variables.filter(({ value }) => value === undefined);
  const literals = secrets.map((variable) => ` --from-literal=${variable.name}=…`).join('');
  const lines = [
    `${job.kind} of ${job.pipeline.replace(/\s+/g, ' ')}, every night.`,
    `The image needs the checkout in ${home}, built (npm ci && npm run build), with this pipeline and its files.`,
    ...(secrets.length === 0 ? [] : [`Secrets: kubectl create secret generic ${name}${literals}`]),
    'The volume stores the journal, a SQLite database: use a disk, not a network file system.',
    'A pod that ends with exit code 6 or 7, or is moved, is restarted; the run continues.',
  ];
  return `${lines.map((line) => `# ${line}`).join('\n')}\n`;
}

function claim(name: string): object {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } },
  };
}

function cronJob(job: Job, name: string): object {
  const limit = limitSeconds(job);
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name },
    spec: {
      schedule: `${job.at.minute} ${job.at.hour} * * *`,
      timeZone: job.timezone,
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 3_600,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 7,
      jobTemplate: {
        spec: {
          backoffLimit,
          ...(limit !== undefined && { activeDeadlineSeconds: limit * (backoffLimit + 1) }),
          podFailurePolicy: {
            rules: [
              { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
              {
                action: 'FailJob',
                onExitCodes: { containerName: 'longshore', operator: 'In', values: finalCodes },
              },
            ],
          },
          template: { spec: pod(job, name) },
        },
      },
    },
  };
}

/** Kubernetes waits longer before each. */
const backoffLimit = 3;

function pod(job: Job, name: string): object {
  const main = posix.join(home, 'dist', 'command', 'main.js');
  const exports = job.exports === undefined ? undefined : inImage(job, job.exports);
  return {
    // A pod failure policy asks for it.
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: graceSeconds,
    automountServiceAccountToken: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      fsGroup: user,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: 'longshore',
        image: 'registry.example.com/longshore:latest',
        command: ['node', main, ...jobWords(job, inImage(job, job.file), workDir)].map(unexpanded),
        ...(job.variables.length > 0 && {
          env: job.variables.map((variable) => environment(variable, name)),
        }),
        resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: { memory: '1Gi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [
          { name: 'data', mountPath: workDir, subPath: 'work' },
          ...(exports === undefined ? [] : [{ name: 'data', mountPath: exports, subPath: 'exports' }]),
          { name: 'tmp', mountPath: '/tmp' },
        ],
      },
    ],
    volumes: [
      { name: 'data', persistentVolumeClaim: { claimName: name } },
      { name: 'tmp', emptyDir: {} },
    ],
  };
}

function environment({ name, value, required }: Variable, secret: string): object {
  if (value !== undefined) return { name, value: unexpanded(value) };
  return {
    name,
    valueFrom: { secretKeyRef: { name: secret, key: name, ...(!required && { optional: true }) } },
  };
}

/** Kubernetes puts a variable's value in the place of $(NAME), unless the dollar is doubled. */
function unexpanded(text: string): string {
  return text.replaceAll('$(', '$$$$(');
}

/** A path of the checkout as it is in the image; one from elsewhere stays as it is. */
function inImage({ machine }: Job, path: string): string {
  const inside = relative(machine.checkout, path);
  if (inside.startsWith('..') || inside === path) return path;
  return posix.join(home, inside.split(sep).join('/'));
}
