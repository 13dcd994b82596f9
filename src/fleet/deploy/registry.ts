import { FatalError } from '../../model/fatal-error.ts';
import { composeFiles } from './compose.ts';
import type { DeployFile, WorkerDeployment } from './deployment.ts';
import { kubernetesFiles } from './kubernetes.ts';
import { systemdFiles } from './systemd.ts';

/** Whoever can run workers, and what it reads. */
export const deployers = {
  kubernetes: kubernetesFiles,
  systemd: systemdFiles,
  compose: composeFiles,
} as const satisfies Readonly<Record<string, (deployment: WorkerDeployment) => readonly DeployFile[]>>;

export type Deployer = keyof typeof deployers;

/** The files that run the workers. Throws a FatalError (usage) where a path cannot stand in them. */
export function deployFiles(deployer: Deployer, deployment: WorkerDeployment): readonly DeployFile[] {
  const { fleetFile, root, folders, image, machine } = deployment;
  const bad = [fleetFile, root, image, ...folders, ...Object.values(machine)].find((text) =>
    /[\p{Cc}\u2028\u2029]/u.test(text),
  );
  if (bad === undefined) return deployers[deployer](deployment);
  throw new FatalError(
    'usage',
    `${JSON.stringify(bad)} cannot be written into these files: it has a line break.`,
    {
      next: 'Rename it.',
    },
  );
}
