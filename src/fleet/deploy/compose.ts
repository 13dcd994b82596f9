import { quotedYamlTemplateTag as yaml } from '../../app/schedule/template.ts';
import {
  computeWorkerMemory,
  containerUserId,
  containerVolumePath,
  createContainerArguments,
  type DeploymentFile,
  drainTimeoutSeconds,
  formatEnvFile,
  hashMountedFiles,
  healthPort,
  type MountedPath,
  type WorkerDeployment,
} from './deployment.ts';

const probe = `fetch('http://127.0.0.1:${healthPort}/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))`;

/** The size (MiB) of the container's /tmp, which is in memory; large files are in TMPDIR. */
const memoryFiles = 64;

/** Creates a compose file, and the file of its environment variables. */
export function createComposeDeploymentFiles(deployment: WorkerDeployment): readonly DeploymentFile[] {
  const head = [
    'For longshore-worker. No other user may read it (chmod 600). A value with a $ is written in single quotes.',
  ];
  return [
    { name: 'compose.yaml', text: composeText(deployment) },
    { name: 'longshore-worker.env', text: formatEnvFile(deployment, head) },
  ];
}

function composeText(deployment: WorkerDeployment): string {
  const { files, tokens, places, workers, image } = deployment;
  const mounts = [
    ...files.map((file) => bind(file, true)),
    ...tokens.flatMap(({ folder, files: own }) =>
      (folder === undefined ? own : [folder]).map((each) => bind(each, true)),
    ),
    ...places.map((place) => bind(place, !place.writable)),
  ];
  const volumes = [{ type: 'volume', target: containerVolumePath }, ...mounts];
  const user = `${containerUserId}:${containerUserId}`;
  const tmpfs = `/tmp:size=${memoryFiles}m`;
  return yaml`# The workers of a fleet. Fill in longshore-worker.env, then:   docker compose up --detach
# The user ${containerUserId} has to be able to read the files and folders below volumes, and to write those that are not read_only.
# After a change of the fleet file or its pipelines print this file again, and type the same: the workers are replaced.
services:
  worker:
    image: ${unexpanded(image ?? '')}
    command: ${createContainerArguments(deployment).map(unexpanded)}
    env_file: longshore-worker.env
    # Scratch files may be as large as an input.
    environment: { TMPDIR: ${containerVolumePath} }
    labels: { longshore.fleet: ${hashMountedFiles(files)} }
    user: ${user}
    restart: unless-stopped
    stop_grace_period: ${`${drainTimeoutSeconds}s`}
    read_only: true
    cap_drop: [ALL]
    security_opt: ["no-new-privileges:true"]
    tmpfs: ${[tmpfs]}
    # The work dir is on a disk, and may go with its container: the journals are in the database.
    volumes: ${volumes}
    healthcheck:
      test: [CMD, node, -e, ${probe}]
      interval: 10s
      timeout: 5s
      retries: 6
    deploy:
      replicas: ${workers}
      resources:
        # 150 MiB, 200 for each job at once, and what is in /tmp.
        limits: { memory: ${`${computeWorkerMemory(deployment) + memoryFiles}M`} }
`;
}

function bind({ host, container }: MountedPath, readOnly: boolean): object {
  return {
    ...{ type: 'bind', source: unexpanded(host), target: unexpanded(container), read_only: readOnly },
    bind: { create_host_path: false },
  };
}

/** Escapes `$`, so that Compose expands no `$NAME`. */
function unexpanded(text: string): string {
  return text.replaceAll('$', '$$$$');
}
