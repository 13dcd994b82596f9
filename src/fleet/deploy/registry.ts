import { hint, toCommand } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { createComposeDeploymentFiles } from './compose.ts';
import type { DeploymentFile, MountedPath, WorkerDeployment } from './deployment.ts';
import { createKubernetesDeploymentFiles } from './kubernetes.ts';
import { createSystemdDeploymentFiles } from './systemd.ts';

/** The formats of deployments, each with the function that builds its files. */
export const deploymentFormats = {
  kubernetes: createKubernetesDeploymentFiles,
  systemd: createSystemdDeploymentFiles,
  compose: createComposeDeploymentFiles,
} as const satisfies Readonly<Record<string, (deployment: WorkerDeployment) => readonly DeploymentFile[]>>;

export type DeploymentFormat = keyof typeof deploymentFormats;

/** The name of an image: host and port, path, tag, digest. */
const imageName = /^[\w.-]+(?::\d+)?(?:\/[\w.-]+)*(?::[\w.-]{1,128})?(?:@[\w.+-]+:[0-9a-fA-F]{32,})?$/;

/**
 * Creates the files that deploy the workers; throws a FatalError (usage) for a missing or invalid image name,
 * a path with control characters, or files that are too large for the format.
 */
export function buildDeploymentFiles(
  deployer: DeploymentFormat,
  deployment: WorkerDeployment,
): readonly DeploymentFile[] {
  const { image, machine } = deployment;
  if (deployer !== 'systemd') assertImage(deployer, image);
  const bad = [...pathsOf(deployment), ...Object.values(machine)].find((text) =>
    /[\p{Cc}\u2028\u2029]/u.test(text),
  );
  if (bad === undefined) return deploymentFormats[deployer](deployment);
  throw new FatalError(
    'usage',
    `${JSON.stringify(bad)} cannot be written into these files: it has a line break or another control character.`,
    {
      next: 'Rename it.',
    },
  );
}

function pathsOf({ fleetFile, files, tokens, places }: WorkerDeployment): readonly string[] {
  const ofTokens = tokens.flatMap(({ folder, files: own }): readonly MountedPath[] => [
    ...(folder === undefined ? [] : [folder]),
    ...own,
  ]);
  return [fleetFile, ...files, ...ofTokens, ...places].flatMap(({ host, container }) => [host, container]);
}

function assertImage(deployer: DeploymentFormat, image: string | undefined): void {
  if (image !== undefined && imageName.test(image)) return;
  const next = hint`Build it with npm run image, push it to a registry (docs/fleet.md, On servers), then: ${toCommand('fleet', 'deploy', '--for', deployer, '--image', 'registry.example.com/longshore:0.1.0')}`;
  throw new FatalError(
    'usage',
    image === undefined
      ? 'Missing option --image: the image as the cluster pulls it.'
      : `--image: ${JSON.stringify(image)} is not the name of an image.`,
    { next },
  );
}
