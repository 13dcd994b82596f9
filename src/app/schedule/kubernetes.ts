import { posix, relative, sep } from 'node:path';
import {
  computeTimeoutSeconds,
  createJobArguments,
  createJobName,
  type JobEnvVariable,
  type ScheduledJob,
  type ScheduleFile,
  stopGraceSeconds,
} from './job.ts';
import { yamlTemplateTag } from './template.ts';

/** The folder of the checkout in the image. */
const home = '/app';
const workDir = '/work';
const user = 1_000;

/** Exit codes after which a retry is useless: usage, rows that need manual action, a guard or limit, the token. */
const finalCodes = [2, 3, 4, 5];

/** Creates a file with a PersistentVolumeClaim and a CronJob. */
export function createKubernetesFiles(job: ScheduledJob): readonly ScheduleFile[] {
  const name = createJobName(job);
  return [{ name: `${name}.yaml`, text: head(job, name) + manifest(job, name) }];
}

function head(job: ScheduledJob, name: string): string {
  const literals = job.variables.flatMap((each) =>
    each.value === undefined ? [` --from-literal=${each.name}=…`] : [],
  );
  const secrets =
    literals.length === 0 ? '' : `# Secrets: kubectl create secret generic ${name}${literals.join('')}\n`;
  return `# ${job.kind} of ${job.pipeline.replace(/\s+/g, ' ')}, every night.
# The image needs the checkout in ${home}, built (npm ci && npm run build), with this pipeline and its files.
${secrets}# The volume stores the journal, a SQLite database: use a disk, not a network file system.
# A pod that ends with exit code 6 or 7, or is moved, is restarted; the run continues.
`;
}

/** The number of restarts; Kubernetes waits longer before each. */
const backoffLimit = 3;

function manifest(job: ScheduledJob, name: string): string {
  const limit = computeTimeoutSeconds(job);
  const main = posix.join(home, 'dist', 'command', 'main.js');
  const command = ['node', main, ...createJobArguments(job, inImage(job, job.file), workDir)].map(
    escapeKubernetesVariables,
  );
  const environment = job.variables.map((variable) => environmentOf(variable, name));
  const exports =
    job.exports === undefined
      ? []
      : [{ name: 'data', mountPath: inImage(job, job.exports), subPath: 'exports' }];
  const mounts = [
    { name: 'data', mountPath: workDir, subPath: 'work' },
    ...exports,
    { name: 'tmp', mountPath: '/tmp' },
  ];
  return yamlTemplateTag`apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: ${name}
spec:
  accessModes:
    - ReadWriteOnce
  resources:
    requests:
      storage: 10Gi
---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: ${name}
spec:
  schedule: ${`${job.at.minute} ${job.at.hour} * * *`}
  timeZone: ${job.timezone}
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 3600
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 7
  jobTemplate:
    spec:
      backoffLimit: ${backoffLimit}
      activeDeadlineSeconds: ${limit === undefined ? undefined : limit * (backoffLimit + 1)}
      podFailurePolicy:
        rules:
          - action: Ignore
            onPodConditions:
              - type: DisruptionTarget
                status: "True"
          - action: FailJob
            onExitCodes:
              containerName: longshore
              operator: In
              values: ${finalCodes}
      template:
        spec:
          restartPolicy: Never
          terminationGracePeriodSeconds: ${stopGraceSeconds}
          automountServiceAccountToken: false
          securityContext:
            runAsNonRoot: true
            runAsUser: ${user}
            runAsGroup: ${user}
            fsGroup: ${user}
            seccompProfile:
              type: RuntimeDefault
          containers:
            - name: longshore
              image: registry.example.com/longshore:latest
              command: ${command}
              env: ${environment.length === 0 ? undefined : environment}
              resources:
                requests:
                  cpu: 250m
                  memory: 256Mi
                limits:
                  memory: 1Gi
              securityContext:
                allowPrivilegeEscalation: false
                readOnlyRootFilesystem: true
                capabilities:
                  drop:
                    - ALL
              volumeMounts: ${mounts}
          volumes:
            - name: data
              persistentVolumeClaim:
                claimName: ${name}
            - name: tmp
              emptyDir: {}
`;
}

function environmentOf({ name, value, required }: JobEnvVariable, secret: string): object {
  if (value !== undefined) return { name, value: escapeKubernetesVariables(value) };
  return {
    name,
    valueFrom: { secretKeyRef: { name: secret, key: name, ...(!required && { optional: true }) } },
  };
}

/** Escapes a text so that Kubernetes expands no `$(VARIABLE)` in it. */
export function escapeKubernetesVariables(text: string): string {
  return text.replaceAll('$(', '$$$$(');
}

/** Returns the path that a file of the checkout has in the image; a path outside the checkout is unchanged. */
function inImage({ machine }: ScheduledJob, path: string): string {
  const inside = relative(machine.checkout, path);
  if (inside.startsWith('..') || inside === path) return path;
  return posix.join(home, inside.split(sep).join('/'));
}
