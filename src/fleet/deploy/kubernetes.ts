import { basename, dirname, posix, relative, sep } from 'node:path';
import { stringify } from 'yaml';
import {
  type DeployFile,
  drainSeconds,
  healthPort,
  type WorkerDeployment,
  workerWords,
} from './deployment.ts';

const name = 'longshore-worker';
/** The fleet file and what it names, where a pod has them. */
const fleetFolder = '/fleet';
const tokenSecret = 'longshore-tokens';
const workDir = '/work';
const user = 1_000;

/** A ConfigMap with the fleet's files, the workers, and how many of them may be away at once. */
export function kubernetesFiles(deployment: WorkerDeployment): readonly DeployFile[] {
  const documents = [configMap(deployment), workers(deployment), budget()].map((document) =>
    stringify(document, { lineWidth: 0 }),
  );
  return [{ name: `${name}.yaml`, text: `${head(deployment)}${documents.join('---\n')}` }];
}

function head({ variables, folders, tokens }: WorkerDeployment): string {
  const literals = variables
    .filter(({ required }) => required)
    .map((variable) => ` \\\n#     --from-literal=${variable.name}=…`);
  const lines = [
    'The workers of a fleet. The image is the one of the Dockerfile.',
    `Secrets: kubectl create secret generic ${name}${literals.join('')}`,
    ...(tokens[0] === undefined
      ? []
      : [`Tokens: kubectl create secret generic ${tokenSecret} --from-file=${dirname(tokens[0])}`]),
    'No volume is needed: the journals are in the database, and what a worker has on its disk may go with it.',
    ...folders.map(
      (folder, index) => `${folder} is the PersistentVolumeClaim ${claimOf(index)} (ReadWriteMany).`,
    ),
    'A pod that is moved drains first: its jobs are continued by the other workers.',
  ];
  return `${lines.map((line) => `# ${line}`).join('\n')}\n`;
}

/** Keys of a ConfigMap have no slashes: what is in folders is put back there by the volume. */
function keyOf(index: number): string {
  return `file-${index + 1}`;
}

function configMap({ files }: WorkerDeployment): object {
  const entries = files.map(({ text }, index) => [keyOf(index), text] as const);
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: Object.fromEntries(entries) };
}

function inPod({ root }: WorkerDeployment, path: string): string {
  return relative(root, path).split(sep).join('/');
}

function claimOf(index: number): string {
  return `longshore-place-${index + 1}`;
}

const labels = { 'app.kubernetes.io/name': name };

function workers(deployment: WorkerDeployment): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas: deployment.workers,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: pod(deployment) },
    },
  };
}

function pod(deployment: WorkerDeployment): object {
  const { folders, image, variables } = deployment;
  const fleetFile = posix.join(fleetFolder, inPod(deployment, deployment.fleetFile));
  const places = folders.map((mountPath, index) => ({ name: claimOf(index), mountPath }));
  return {
    terminationGracePeriodSeconds: drainSeconds,
    automountServiceAccountToken: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      fsGroup: user,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: labels },
      },
    ],
    containers: [
      {
        name: 'worker',
        image,
        // Probes come from outside of the container.
        args: [
          ...workerWords(deployment, { fleetFile, workDir, port: String(healthPort) }),
          '--host',
          '0.0.0.0',
        ],
        env: variables.map((variable) => reference(variable)),
        ports: [{ name: 'health', containerPort: healthPort }],
        startupProbe: probe('/healthz', { periodSeconds: 2, failureThreshold: 30 }),
        livenessProbe: probe('/healthz', { periodSeconds: 10, failureThreshold: 6 }),
        readinessProbe: probe('/readyz', { periodSeconds: 5, failureThreshold: 2 }),
        resources: {
          requests: { cpu: '250m', memory: '512Mi', 'ephemeral-storage': '2Gi' },
          limits: { memory: '2Gi', 'ephemeral-storage': '20Gi' },
        },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [
          { name: 'fleet', mountPath: fleetFolder, readOnly: true },
          { name: 'work', mountPath: workDir },
          { name: 'tmp', mountPath: '/tmp' },
          ...places,
        ],
      },
    ],
    volumes: [
      { name: 'fleet', projected: { sources: sources(deployment) } },
      { name: 'work', emptyDir: { sizeLimit: '20Gi' } },
      { name: 'tmp', emptyDir: {} },
      ...places.map(({ name: claimName }) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
    ],
  };
}

/** The files as they lie beside each other: a fleet file names its pipelines and tokens relative to itself. */
function sources(deployment: WorkerDeployment): readonly object[] {
  const { files, tokens } = deployment;
  const items = files.map(({ path }, index) => ({ key: keyOf(index), path: inPod(deployment, path) }));
  const secret = tokens.map((path) => ({ key: basename(path), path: inPod(deployment, path) }));
  return [
    { configMap: { name, items } },
    ...(secret.length === 0 ? [] : [{ secret: { name: tokenSecret, items: secret } }]),
  ];
}

function probe(path: string, times: object): object {
  return { httpGet: { path, port: 'health' }, timeoutSeconds: 5, ...times };
}

function reference({ name: key, required }: WorkerDeployment['variables'][number]): object {
  return { name: key, valueFrom: { secretKeyRef: { name, key, ...(!required && { optional: true }) } } };
}

function budget(): object {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  };
}
