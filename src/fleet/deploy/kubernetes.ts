import { stringify } from 'yaml';
import { escapeKubernetesVariables } from '../../app/schedule/kubernetes.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { quoteForShell } from '../../model/shell-quoted.ts';
import {
  computeWorkerMemory,
  createContainerArguments,
  type DeploymentFile,
  formatEnvFile,
  hashMountedFiles,
  healthPort,
  type MountedStorage,
  type MountedTextFile,
  type MountedTokenGroup,
  type WorkerDeployment,
} from './deployment.ts';
import { findRelativePathBelow } from './gather.ts';
import {
  formatMonitorManifest,
  formatNetworkManifest,
  formatWorkersManifest,
  type WorkerManifestValues,
  workerObjectName,
} from './kubernetes-template.ts';

/** The maximum size of the fleet's files (bytes): Kubernetes refuses a ConfigMap above 1 MiB, keys included. */
const mostText = 1_000_000;

/**
 * Creates the manifests of the workers, of their ConfigMap, network and monitoring, an environment file, and a script
 * that prints the secrets.
 */
export function createKubernetesDeploymentFiles(deployment: WorkerDeployment): readonly DeploymentFile[] {
  const documents = [
    stringify(configMap(deployment), { lineWidth: 0 }),
    formatWorkersManifest(podParts(deployment)),
    formatNetworkManifest(deployment.ports),
  ];
  const head = [
    'The workers of a fleet. First the secrets: fill in longshore-worker.env, then',
    '  sh longshore-secrets.sh | kubectl apply -f -',
    ...deployment.places.map(
      ({ name: place, container }) =>
        `A PersistentVolumeClaim ${claimOf(place)} (ReadWriteMany) is needed; it is mounted at ${container}.`,
    ),
    'A pod that is moved drains first: its jobs are continued by the other workers.',
  ];
  return [
    {
      name: `${workerObjectName}.yaml`,
      text: `${head.map((line) => `# ${line}\n`).join('')}${documents.join('---\n')}`,
    },
    { name: `${workerObjectName}-monitor.yaml`, text: formatMonitorManifest() },
    {
      name: `${workerObjectName}.env`,
      text: formatEnvFile(deployment, [
        'For longshore-secrets.sh. No other user may read it (chmod 600). Values are taken as they are, without quotes.',
      ]),
    },
    { name: 'longshore-secrets.sh', text: secretsScript(deployment) },
  ];
}

function claimOf(place: string): string {
  return `longshore-${place}`;
}

function readOnlyOf({ writable }: MountedStorage) {
  return writable ? {} : { readOnly: true };
}

/** Returns the ConfigMap key of a file; a key has no slashes, so each file is mounted by itself. */
function keyOf(index: number): string {
  return `file-${index + 1}`;
}

/** Characters that a YAML parser may change or reject. */
const odd = /[^\t\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

function configMap({ files }: WorkerDeployment): object {
  const size = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (size > mostText) throw tooLarge(files, size);
  const data: Record<string, string> = {};
  const binaryData: Record<string, string> = {};
  for (const [index, { text }] of files.entries()) {
    if (odd.test(text)) binaryData[keyOf(index)] = Buffer.from(text).toString('base64');
    else data[keyOf(index)] = text;
  }
  const binary = Object.keys(binaryData).length > 0 && { binaryData };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: workerObjectName }, data, ...binary };
}

function tooLarge(files: readonly MountedTextFile[], size: number): FatalError {
  const [largest] = [...files].sort((a, b) => b.text.length - a.text.length);
  return new FatalError(
    'usage',
    `the files of this fleet have ${Math.ceil(size / 1_024)} KiB, and Kubernetes takes no ConfigMap above 1 MiB.`,
    {
      place: { file: largest?.host ?? '' },
      next: 'Split the fleet into two, with a database each.',
    },
  );
}

function podParts(deployment: WorkerDeployment): WorkerManifestValues {
  const { files, variables, places, workers, image } = deployment;
  const tokens = deployment.tokens.map(tokenMounts);
  const volumeOf = ({ name: place }: { readonly name: string }) => claimOf(place);
  return {
    image,
    workers,
    hash: hashMountedFiles(files),
    args: createContainerArguments(deployment).map(escapeKubernetesVariables),
    env: variables.map(({ name: key, required }) => ({
      name: key,
      valueFrom: { secretKeyRef: { name: workerObjectName, key, ...(!required && { optional: true }) } },
    })),
    port: healthPort,
    memory: `${computeWorkerMemory(deployment)}Mi`,
    mounts: [
      ...files.map(({ container }, index) => ({
        ...{ name: 'fleet', mountPath: container, subPath: keyOf(index), readOnly: true },
      })),
      ...tokens.flatMap(({ mounts }) => mounts),
      ...places.map((place) => ({
        ...{ name: volumeOf(place), mountPath: place.container, ...readOnlyOf(place) },
      })),
    ],
    volumes: [
      { name: 'fleet', configMap: { name: workerObjectName } },
      ...tokens.map(({ volume }) => volume),
      ...places.map((place) => ({
        name: volumeOf(place),
        persistentVolumeClaim: { claimName: volumeOf(place), ...readOnlyOf(place) },
      })),
    ],
  };
}

interface TokenKeys {
  readonly secret: string;
  /**
   * The path of each key below the mounted folder; undefined if the keys are the file names, or if each file is mounted
   * by itself.
   */
  readonly items: readonly { readonly key: string; readonly path: string }[] | undefined;
}

/**
 * Returns the name and keys of the secret for a group of tokens. The keys are workspaces, or the file names
 * if all files are directly in a mounted folder and their names can be keys.
 */
function tokenKeys({ folder, files }: MountedTokenGroup, index: number): TokenKeys {
  const secret = index === 0 ? 'longshore-tokens' : `longshore-tokens-${index + 1}`;
  if (folder === undefined) return { secret, items: undefined };
  const items = files.map(({ workspace, host }) => ({
    key: workspace,
    path: findRelativePathBelow(folder.host, host) ?? '',
  }));
  const flat = items.every(({ path }) => /^[\w.-]{1,253}$/.test(path));
  return { secret, items: flat ? undefined : items };
}

function tokenMounts(group: MountedTokenGroup, index: number) {
  const { folder, files } = group;
  const { secret, items } = tokenKeys(group, index);
  const single = files.map(({ container, workspace }) => ({
    ...{ name: secret, mountPath: container, subPath: workspace, readOnly: true },
  }));
  return {
    mounts: folder === undefined ? single : [{ name: secret, mountPath: folder.container, readOnly: true }],
    // Readable only by the owner, root, and by the worker's group.
    volume: {
      name: secret,
      secret: { secretName: secret, defaultMode: 0o440, ...(items && { items }) },
    },
  };
}

/** Returns a script that prints the secrets for `kubectl apply`; it calls no server and writes no file. */
function secretsScript({ tokens }: WorkerDeployment): string {
  const secret = (secretName: string, sources: readonly string[]) =>
    [`kubectl create secret generic ${secretName}`, ...sources, '--dry-run=client --output=yaml'].join(
      ' \\\n  ',
    );
  const ofTokens = tokens.map((group, index) => {
    const { folder, files } = group;
    const { secret: secretName, items } = tokenKeys(group, index);
    const sources =
      folder !== undefined && items === undefined
        ? [folder.host]
        : files.map(({ workspace, host }) => `${workspace}=${host}`);
    return secret(
      secretName,
      sources.map((source) => `--from-file=${quoteForShell(source)}`),
    );
  });
  return [
    '#!/bin/sh',
    '# Prints the secrets of the workers, to be piped:   sh longshore-secrets.sh | kubectl apply -f -',
    'set -eu',
    secret(workerObjectName, [`--from-env-file=${workerObjectName}.env`]),
    ...ofTokens.flatMap((line) => ['echo ---', line]),
    '',
  ].join('\n');
}
