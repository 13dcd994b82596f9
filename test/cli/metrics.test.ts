import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { gate, heldImport, patient } from './held.ts';
import { atSite, slowly } from './site.ts';

/** The values of a metrics file by name and by one of the labels, those of the same added up. */
function read(path: string): (name: string, label?: string) => number | undefined {
  const text = readFileSync(path, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return (name, label = '') => {
    const values = text
      .split('\n')
      .filter((line) => line.startsWith(`longshore_${name}{`) && line.includes(label))
      .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
    return values.length === 0 ? undefined : values.reduce((sum, n) => sum + n, 0);
  };
}

describe('--metrics', () => {
  it('says at the end what the summary says, to any user, and no secret', () =>
    atSite({ rows: 12 }, async (site) => {
      const path = join(site.folder, 'longshore.prom');
      const { rows, requests } = JSON.parse((await site.import('--metrics', path)).stdout);
      const value = read(path);
      expect(value('running')).toBe(0);
      expect(value('exit_code')).toBe(0);
      expect(value('last_success_time_seconds')).toBeGreaterThan(0);
      for (const [outcome, n] of Object.entries<number>(rows)) {
        if (outcome !== 'read' && outcome !== 'notReached') {
          expect(value('rows', `outcome="${outcome}"`)).toBe(n);
        }
      }
      expect(value('rows_left')).toBe(0);
      for (const [operation, counts] of Object.entries<{ sent: number; ok: number }>(requests)) {
        const [method, template] = operation.split(' ');
        const of = `method="${method}",path="${template}"`;
        expect(value('requests_total', of)).toBe(counts.sent);
        expect(value('requests_total', `${of},result="ok"`)).toBe(counts.ok);
      }
      expect(readFileSync(path, 'utf8')).not.toContain(site.token);
      expect(statSync(path).mode & 0o777).toBe(0o644);
      expect(readdirSync(site.folder).filter((name) => name.includes('.part'))).toEqual([]);
    }));

  it('says while a run works how far it is, and a resume goes on with it', async () => {
    const held = gate();
    await atSite({ ...slowly, rows: 20, onPhase: held.pass }, async (site) => {
      const path = join(site.folder, 'longshore.prom');
      const running = await heldImport(site, held, '--metrics', path);
      const isFar = () => {
        const value = read(path);
        expect(value('running')).toBe(1);
        expect(value('rows_active')).toBeGreaterThan(0);
        expect((value('rows') ?? 0) + (value('rows_left') ?? 0)).toBe(20);
        expect(value('exit_code')).toBeUndefined();
      };
      await vi.waitFor(isFar, patient);
      running.process.kill('SIGKILL');
      await running.ended;
      held.open();
      expect(await site.longshore(['resume', '--metrics', path])).toMatchObject({ code: 0 });
      const value = read(path);
      expect(value('rows')).toBe(20);
      expect(value('rows_left')).toBe(0);
      expect(value('exit_code')).toBe(0);
    });
  });

  it('says so where no run began, and keeps when one last went well', () =>
    atSite({ rows: 4 }, async (site) => {
      const path = join(site.folder, 'longshore.prom');
      expect(await site.import('--metrics', path)).toMatchObject({ code: 0 });
      const before = read(path)('last_success_time_seconds') ?? Number.NaN;
      site.sandbox.revokeToken(site.token);
      expect(await site.import('--metrics', path)).toMatchObject({ code: 5 });
      const value = read(path);
      expect(value('exit_code')).toBe(5);
      expect(value('running')).toBe(0);
      // The journal's time is that of the run, the file's that of the command.
      expect(Math.abs((value('last_success_time_seconds') ?? 0) - before)).toBeLessThan(60);
    }));

  it('where the file cannot be written, nothing is sent', () =>
    atSite({ rows: 4 }, async (site) => {
      const path = join(site.folder, 'missing', 'longshore.prom');
      const { code, stderr } = await site.import('--metrics', path);
      expect(code).toBe(2);
      expect(stderr).toContain(`${path}: the metrics file cannot be written`);
      expect(site.sandbox.log).toEqual([]);
      expect(await site.import('--metrics', site.folder)).toMatchObject({ code: 2 });
    }));
});
