import { dirname } from 'node:path';
import { hardening, listed, specifiersKept, word } from '../../app/schedule/unit-words.ts';
import { shellQuoted } from '../../model/command-line.ts';
import {
  type DeployFile,
  drainSeconds,
  memoryOf,
  variablesText,
  type WorkerDeployment,
  workerWords,
} from './deployment.ts';

const name = 'longshore-worker';
const variables = `/etc/longshore/${name}.env`;
const user = 'longshore';

/** A template unit, whose instance is the port of a worker, and the file of its variables. */
export function systemdFiles(deployment: WorkerDeployment): readonly DeployFile[] {
  const head = [`${variables}, which nobody else may read (chmod 600).`];
  return [
    { name: `${name}@.service`, text: service(deployment) },
    { name: `${name}.env`, text: variablesText(deployment, head) },
  ];
}

function service(deployment: WorkerDeployment): string {
  const { fleetFile, places } = deployment;
  const writable = places.filter((place) => place.writable).map(({ host }) => host);
  const paths = writable.length === 0 ? '' : `ReadWritePaths=${writable.map(listed).join(' ')}\n`;
  return `# As root:
#   useradd --system --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin ${user}
${accessLines(deployment)}
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
WorkingDirectory=${specifiersKept(dirname(fleetFile.host))}
StateDirectory=longshore/%i
StateDirectoryMode=0700
# Scratch files may be as large as an input.
Environment=TMPDIR=%S/longshore/%i
ExecStart=${commandOf(deployment)}
# A drain: requests in flight finish, journals are saved, leases released.
TimeoutStopSec=${drainSeconds}
KillMode=mixed
# 150 MiB, and 200 for each job at once.
MemoryMax=${memoryOf(deployment)}M
UMask=0077
${paths}${hardening.join('\n')}

[Install]
WantedBy=multi-user.target
`;
}

/** %i and %S are for systemd, and stay as they are. */
function commandOf(deployment: WorkerDeployment): string {
  const { machine, fleetFile } = deployment;
  const where = { fleetFile: fleetFile.host, workDir: '%S/longshore/%i', port: '%i' };
  const own = new Set<string>([where.workDir, where.port]);
  const words = [machine.node, machine.main, ...workerWords(deployment, where)];
  return words.map((each) => (own.has(each) ? each : word(each))).join(' ');
}

/** What the user has to be able to read and write, as commands that print what it cannot. */
function accessLines({ machine, files, tokens, places }: WorkerDeployment): string {
  const read = [
    machine.node,
    machine.main,
    ...[...files, ...tokens.flatMap((group) => group.folder ?? group.files), ...places].map(
      ({ host }) => host,
    ),
  ];
  const write = places.filter(({ writable }) => writable).map(({ host }) => host);
  const check = (flag: string, verb: string, paths: readonly string[]) =>
    `#   for path in ${paths.map(shellQuoted).join(' ')}; do runuser -u ${user} -- test ${flag} "$path" || echo "${user} cannot ${verb} $path"; done`;
  return [
    `#   Give ${user} access to what these two find:`,
    check('-r', 'read', read),
    check('-w', 'write', write),
  ].join('\n');
}
