import { dirname } from 'node:path';
import { hardening, listed, word } from '../../runs/schedule/unit-words.ts';
import { type DeployFile, drainSeconds, type WorkerDeployment, workerWords } from './deployment.ts';

const name = 'longshore-worker';
const variables = `/etc/longshore/${name}.env`;

/** A template unit, whose instance is the port of a worker, and the file of its variables. */
export function systemdFiles(deployment: WorkerDeployment): readonly DeployFile[] {
  return [
    { name: `${name}@.service`, text: service(deployment) },
    { name: `${name}.env`, text: variablesText(deployment) },
  ];
}

function service(deployment: WorkerDeployment): string {
  const { machine, fleetFile, folders } = deployment;
  // %i and %S are for systemd, and must stay as they are.
  const where = { fleetFile, workDir: '%S/longshore/%i', port: '%i' };
  const own = new Set<string>([where.workDir, where.port]);
  const words = [machine.node, machine.main, ...workerWords(deployment, where)];
  const command = words.map((each) => (own.has(each) ? each : word(each))).join(' ');
  const lines = [
    '# As root:',
    `#   install -D -m 600 ${name}.env ${variables}     and fill it in`,
    `#   install -m 644 ${name}@.service /etc/systemd/system/`,
    `#   systemctl daemon-reload && systemctl enable --now ${name}@9464     the instance is its port: one for each worker`,
    '[Unit]',
    'Description=Longshore: a worker of the fleet (port %i)',
    'Wants=network-online.target',
    'After=network-online.target',
    '',
    '[Service]',
    'Type=simple',
    'Restart=always',
    'RestartSec=5',
    `User=${machine.user}`,
    `EnvironmentFile=${variables}`,
    `WorkingDirectory=${listed(dirname(fleetFile))}`,
    'StateDirectory=longshore/%i',
    'StateDirectoryMode=0700',
    `ExecStart=${command}`,
    `# A drain: requests in flight finish, journals are shipped, leases released.`,
    `TimeoutStopSec=${drainSeconds}`,
    'KillMode=mixed',
    'UMask=0077',
    ...(folders.length === 0 ? [] : [`ReadWritePaths=${folders.map(listed).join(' ')}`]),
    ...hardening,
    '',
    '[Install]',
    'WantedBy=multi-user.target',
  ];
  return `${lines.join('\n')}\n`;
}

function variablesText(deployment: WorkerDeployment): string {
  const lines = deployment.variables.map(({ name: each, required }) =>
    required ? `${each}=` : `# ${each}=`,
  );
  return `${[`# ${variables}, which nobody else may read (chmod 600).`, ...lines].join('\n')}\n`;
}
