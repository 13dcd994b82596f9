import { basename } from 'node:path';
import { stringify } from 'yaml';
import {
  type DeployFile,
  drainSeconds,
  healthPort,
  type WorkerDeployment,
  workerWords,
} from './deployment.ts';

const probe = `fetch('http://127.0.0.1:${healthPort}/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))`;

/** A compose file; variables come from a file beside it. */
export function composeFiles(deployment: WorkerDeployment): readonly DeployFile[] {
  const { root, fleetFile, folders, image, workers, variables } = deployment;
  const where = { fleetFile: `/fleet/${basename(fleetFile)}`, workDir: '/work', port: String(healthPort) };
  const document = {
    services: {
      worker: {
        image,
        command: workerWords(deployment, where).map(unexpanded),
        env_file: 'longshore-worker.env',
        restart: 'unless-stopped',
        stop_grace_period: `${drainSeconds}s`,
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        tmpfs: ['/tmp', '/work:uid=1000,gid=1000,mode=0700'],
        volumes: [`${root}:/fleet:ro`, ...folders.map((folder) => `${folder}:${folder}`)].map(unexpanded),
        healthcheck: { test: ['CMD', 'node', '-e', probe], interval: '10s', timeout: '5s', retries: 6 },
        deploy: { replicas: workers, resources: { limits: { memory: '2G' } } },
      },
    },
  };
  const head = [
    '# The workers of a fleet. Build the image with the Dockerfile, fill in longshore-worker.env, then:',
    `#   docker compose up --detach --scale worker=${workers}`,
    '# /work is in memory and may go: the journals are in the database.',
  ];
  const lines = variables.map(({ name, required }) => (required ? `${name}=` : `# ${name}=`));
  return [
    { name: 'compose.yaml', text: `${head.join('\n')}\n${stringify(document, { lineWidth: 0 })}` },
    { name: 'longshore-worker.env', text: `${['# chmod 600', ...lines].join('\n')}\n` },
  ];
}

/** Compose puts a variable's value in the place of $NAME, unless the dollar is doubled. */
function unexpanded(text: string): string {
  return text.replaceAll('$', '$$$$');
}
