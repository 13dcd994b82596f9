import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { atSite } from './site.ts';

it('writes a crontab whose line, as a shell runs it, imports', () =>
  atSite({ rows: 4 }, async (site) => {
    const out = join(site.folder, 'cron');
    const env = { HOME: site.folder };
    const schedule = [
      'schedule',
      site.people.pipeline,
      '--for',
      'cron',
      '--at',
      '4:07',
      '--out',
      out,
      '--json',
    ];
    const written = await site.longshore(schedule, { env });
    expect(written).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(out).sort()).toEqual(['longshore-people.crontab', 'longshore-people.env']);
    expect(statSync(join(out, 'longshore-people.env')).mode & 0o777).toBe(0o600);
    const crontab = readFileSync(join(out, 'longshore-people.crontab'), 'utf8');
    expect(JSON.parse(written.stdout)[0]).toEqual({ name: 'longshore-people.crontab', text: crontab });

    const variables = join(site.folder, '.config', 'longshore');
    mkdirSync(variables, { recursive: true });
    const filled = readFileSync(join(out, 'longshore-people.env'), 'utf8')
      .replace('LONGSHORE_BASE_URL=', `LONGSHORE_BASE_URL=${site.sandbox.baseUrl}`)
      .replace('LONGSHORE_TOKEN=', `LONGSHORE_TOKEN=${site.token}`);
    writeFileSync(join(variables, 'longshore-people.env'), filled);
    const line = crontab.trimEnd().split('\n').at(-1) ?? '';
    expect(line).toMatch(/^7 4 \* \* \* /);
    // As cron does: hardly any environment, and nothing of this test's.
    const child = spawn('/bin/sh', ['-c', line.slice('7 4 * * * '.length)], {
      env: { HOME: site.folder, PATH: '/usr/bin:/bin' },
      stdio: 'ignore',
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    const log = readFileSync(join(site.workDir, 'longshore-people.cron.log'), 'utf8');
    expect({ code, log }).toMatchObject({ code: 0 });
    site.expectExact();

    const again = await site.longshore(schedule, { env });
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('Move the existing files away');
    expect(readFileSync(join(out, 'longshore-people.crontab'), 'utf8')).toBe(crontab);
  }));

it('refuses a time, a zone and an input that no night has', () =>
  atSite({ rows: 4 }, async (site) => {
    const schedule = (...more: readonly string[]) =>
      site.longshore(['schedule', site.people.pipeline, '--for', 'systemd', ...more]);
    expect((await schedule('--at', '24:00')).stderr).toContain(
      '--at takes a time of day such as 02:30, not "24:00".',
    );
    expect((await schedule('--timezone', 'Europe/Berln')).stderr).toContain('did you mean "Europe/Berlin"?');
    const yaml = readFileSync(site.people.pipeline, 'utf8');
    writeFileSync(site.people.pipeline, yaml.replace('path: people.csv', 'path: "-"'));
    const fromInput = await schedule();
    expect(fromInput.code).toBe(2);
    expect(fromInput.stderr).toContain('reads standard input');
  }));
