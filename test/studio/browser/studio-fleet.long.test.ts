import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, test, vi } from 'vitest';
import { fleetDatabaseVariable } from '../../../src/fleet/variables.ts';
import { browserPath } from '../../browser/browser.ts';
import { atFleet } from '../../fleet/fleet-site.ts';
import { openPage } from './studio.ts';

const none = browserPath === undefined;
const nightly = { file: 'nightly.yaml', schedule: { cron: '30 2 * * *', timezone: 'Europe/Berlin' } };

test.skipIf(none)('a fleet is watched as it stands, also while its database restarts', () =>
  atFleet({ rows: 3, fleet: { pipelines: { load: { file: 'pipeline.yaml' }, nightly } } }, async (site) => {
    vi.stubEnv(fleetDatabaseVariable, site.postgres.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { page, expectInOrder } = await openPage({ folder: site.folder });
    await page.getByRole('navigation').getByRole('link', { name: 'Fleet' }).click();
    const grid = page.getByRole('grid', { name: 'Pipelines of workspaces' });
    await grid.getByRole('row', { name: /acme.*load.*idle.*never/ }).waitFor();
    await grid.getByRole('row', { name: /acme.*nightly.*waiting/ }).waitFor();
    await page.getByText('No worker is there: nothing runs.').waitFor();
    await expectInOrder('a fleet without a worker');

    // What happens is seen without a reload: a worker that begins, a job that fails, a workspace that is paused.
    rmSync(join(site.folder, 'people.csv'));
    site.machine('one').start();
    await site.longshore('fleet', 'run', 'acme', 'load');
    await page
      .getByText(/^acme load \(\d+ tr(y|ies)\): /)
      .first()
      .waitFor();
    await page.getByRole('region', { name: 'Workers' }).getByText('takes jobs').first().waitFor();
    await expectInOrder('a fleet with a pipeline that fails');
    await site.longshore('fleet', 'pause', 'acme');
    await grid.getByRole('row', { name: /nightly.*paused/ }).waitFor();

    await site.postgres.restart();
    await site.longshore('fleet', 'resume', 'acme');
    await grid.getByRole('row', { name: /nightly.*waiting/ }).waitFor();
  }),
);
