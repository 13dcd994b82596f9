import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { root } from '../pages.ts';
import { type Container, type ContainerOptions, noContainers, startContainer } from './container.ts';
import { atDeployedFleet, type DeployedFleet, type FleetKind, workerUser } from './deployed-fleet.ts';
import { composeContainer } from './unpacked-compose.ts';
import { secretManifests, unpackPod } from './unpacked-kubernetes.ts';
import { unitContainer } from './unpacked-unit.ts';

function has(tool: string, ...words: readonly string[]): boolean {
  return spawnSync(tool, words).status === 0;
}

/** A title that says why a test is skipped. */
function titled(title: string, why: string | undefined): string {
  return why === undefined ? title : `${title} (skipped: ${why})`;
}

/** A worker in this container imports and exports, answers what watches it, and drains. */
async function expectWorks(options: ContainerOptions, fleet: DeployedFleet): Promise<void> {
  const container = startContainer(options);
  try {
    await fleet.expectWork(container);
    await expectWatched(fleet, container.said);
    expect(await container.drain(), container.said()).toBe(0);
  } finally {
    await container.remove();
  }
}

async function expectWatched({ port }: DeployedFleet, said: Container['said']): Promise<void> {
  for (const path of ['/readyz', '/healthz', '/metrics', '/metrics/fleet']) {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`);
    expect(status, said()).toBe(200);
  }
}

const fleets: readonly FleetKind[] = ['guide', 'odd'];

describe('what fleet deploy prints runs: an import and an export, from and to the right places', () => {
  const noPods = noContainers ?? (has('kubectl', 'version', '--client') ? undefined : 'kubectl is not there');
  test.skipIf(noPods !== undefined).each(fleets)(
    titled('Kubernetes, unpacked into a mount namespace: the fleet of the %s file', noPods),
    async (kind) => {
      await atDeployedFleet(kind, async (fleet) => {
        const out = await fleet.deploy('kubernetes', '--image', 'registry.example.com/longshore:1');
        fleet.fillIn(join(out, 'longshore-worker.env'));
        const manifests = readFileSync(join(out, 'longshore-worker.yaml'), 'utf8');
        const pod = unpackPod({
          manifests: manifests.replaceAll('9464', String(fleet.port)),
          secrets: secretManifests(join(out, 'longshore-secrets.sh')),
          claims: { 'longshore-inputs': fleet.inputs, 'longshore-outputs': fleet.outputs },
          folder: join(fleet.temporary, 'volumes'),
        });
        await expectWorks(pod, fleet);
      });
    },
  );

  test.skipIf(noContainers !== undefined).each(fleets)(
    titled('compose, its mounts in a mount namespace: the fleet of the %s file', noContainers),
    async (kind) => {
      await atDeployedFleet(kind, async (fleet) => {
        const out = await fleet.deploy('compose');
        fleet.fillIn(join(out, 'longshore-worker.env'));
        const text = readFileSync(join(out, 'compose.yaml'), 'utf8').replaceAll('9464', String(fleet.port));
        await expectWorks(composeContainer(text, out, join(fleet.temporary, 'volumes')), fleet);
      });
    },
  );

  const noUnits =
    noContainers ?? (has('systemd-analyze', '--version') ? undefined : 'systemd-analyze is not there');
  test.skipIf(noUnits !== undefined).each(fleets)(
    titled('systemd, its command line with its environment, as its user: the fleet of the %s file', noUnits),
    async (kind) => {
      await atDeployedFleet(kind, async (fleet) => {
        const out = await fleet.deploy('systemd');
        fleet.fillIn(join(out, 'longshore-worker.env'));
        const unit = readFileSync(join(out, 'longshore-worker@.service'), 'utf8');
        const instance = join(out, `longshore-worker@${fleet.port}.service`);
        writeFileSync(instance, unit);
        const verified = spawnSync('systemd-analyze', ['verify', instance], { encoding: 'utf8' });
        expect({ status: verified.status, said: verified.stderr }).toEqual({ status: 0, said: '' });
        const state = join(fleet.temporary, 'state');
        mkdirSync(join(state, 'longshore', String(fleet.port)), { recursive: true });
        chownSync(join(state, 'longshore', String(fleet.port)), workerUser, workerUser);
        const variables = readFileSync(join(out, 'longshore-worker.env'), 'utf8');
        const options = unitContainer({ unit, variables, state, instance: fleet.port, user: workerUser });
        await expectWorks(options, fleet);
      });
    },
  );

  const noDocker = !has('docker', 'info')
    ? 'no docker daemon answers'
    : has('docker', 'compose', 'version')
      ? undefined
      : 'docker compose is not there';
  test.skipIf(noDocker !== undefined)(
    titled('compose, with real containers of the image that npm run image builds', noDocker),
    async () => {
      const built = spawnSync('npm', ['run', 'image'], { cwd: root, encoding: 'utf8' });
      expect(built.status, built.stderr).toBe(0);
      await atDeployedFleet('guide', async (fleet) => {
        const out = await fleet.deploy('compose', '--workers', '1');
        fleet.fillIn(join(out, 'longshore-worker.env'));
        const file = join(out, 'compose.yaml');
        writeFileSync(file, readFileSync(file, 'utf8').replaceAll('9464', String(fleet.port)));
        // The workspaces and the database of the test are on the network of this machine.
        const here = join(out, 'here.yaml');
        writeFileSync(here, 'services: { worker: { network_mode: host } }\n');
        const project = `longshore-${fleet.port}`;
        const compose = (...words: readonly string[]) =>
          spawnSync('docker', ['compose', '-p', project, '-f', file, '-f', here, ...words], {
            encoding: 'utf8',
          });
        const said = () => compose('logs').stdout;
        try {
          const up = compose('up', '--detach');
          expect(up.status, up.stderr).toBe(0);
          await fleet.expectWork({ said });
          await vi.waitFor(() => expectWatched(fleet, said), { timeout: 60_000, interval: 200 });
          expect(compose('stop').status).toBe(0);
          expect(compose('ps', '--all', '--format', '{{.ExitCode}}').stdout.trim()).toBe('0');
        } finally {
          compose('down', '--volumes');
        }
      });
    },
  );
});
