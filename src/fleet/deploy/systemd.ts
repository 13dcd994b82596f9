import { dirname } from 'node:path';
import { systemdHardening } from '../../app/schedule/systemd.ts';
import { systemdTemplateTag } from '../../app/schedule/template.ts';
import {
  computeWorkerMemory,
  createWorkerArguments,
  type DeploymentFile,
  drainTimeoutSeconds,
  formatEnvFile,
  type WorkerDeployment,
} from './deployment.ts';

const name = 'longshore-worker';
const variables = `/etc/longshore/${name}.env`;
const user = 'longshore';

/**
 * Creates a systemd template unit, whose instance name is a worker's port, and the file of its environment variables.
 */
export function createSystemdDeploymentFiles(deployment: WorkerDeployment): readonly DeploymentFile[] {
  const head = [`${variables}, which no other user may read (chmod 600).`];
  return [
    { name: `${name}@.service`, text: service(deployment) },
    { name: `${name}.env`, text: formatEnvFile(deployment, head) },
  ];
}

function service(deployment: WorkerDeployment): string {
  const { machine, fleetFile, files, tokens, places } = deployment;
  const writable = places.filter((place) => place.writable).map(({ host }) => host);
  const read = [
    machine.node,
    machine.main,
    ...[...files, ...tokens.flatMap((group) => group.folder ?? group.files), ...places].map(
      ({ host }) => host,
    ),
  ];
  // systemd expands these specifiers.
  const [port, workDir] = ['%i', '%S/longshore/%i'];
  const words = createWorkerArguments(deployment, { fleetFile: fleetFile.host, workDir, port });
  return systemdTemplateTag`# As root:
#   useradd --system --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin ${user}
#   Give ${user} access to what these two find:
#   for path in ${{ shell: read }}; do runuser -u ${user} -- test -r "$path" || echo "${user} cannot read $path"; done
#   for path in ${{ shell: writable }}; do runuser -u ${user} -- test -w "$path" || echo "${user} cannot write $path"; done
#   install -D -m 600 ${name}.env ${variables}     and fill it in
#   install -m 644 ${name}@.service /etc/systemd/system/
#   systemctl daemon-reload && systemctl enable --now ${name}@9464     the instance is its port: one for each worker
[Unit]
Description=Longshore: a worker of the fleet (port %i)
Wants=network-online.target
After=network-online.target

[Service]
Type=simple
Restart=always
RestartSec=5
User=${user}
EnvironmentFile=${variables}
WorkingDirectory=${dirname(fleetFile.host)}
StateDirectory=longshore/%i
StateDirectoryMode=0700
# Scratch files may be as large as an input.
Environment=TMPDIR=%S/longshore/%i
ExecStart=${{ command: [machine.node, machine.main, ...words], asIs: [port, workDir] }}
# A drain: requests in flight finish, journals are saved, leases released.
TimeoutStopSec=${drainTimeoutSeconds}
KillMode=mixed
# 150 MiB, and 200 for each job at once.
MemoryMax=${computeWorkerMemory(deployment)}M
UMask=0077
ReadWritePaths=${writable.length === 0 ? undefined : { paths: writable }}
${systemdHardening}

[Install]
WantedBy=multi-user.target
`;
}
