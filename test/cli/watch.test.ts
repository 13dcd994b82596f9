import { describe, expect, it, vi } from 'vitest';
import type { Running } from '../end-to-end/command.ts';
import { gate, heldImport, patient } from './held.ts';
import { atSite, slowly } from './site.ts';

/** The lines of a command's standard output so far. */
function linesOf(running: Running): string[] {
  const lines: string[] = [];
  let rest = '';
  running.process.stdout?.on('data', (piece: Buffer) => {
    const parts = (rest + piece.toString()).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  return lines;
}

describe('status --watch', () => {
  it('shows a run of another process until it ends, a JSON object per line, and ends with its exit code', async () => {
    const held = gate();
    await atSite({ ...slowly, rows: 20, onPhase: held.pass }, async (site) => {
      const running = await heldImport(site, held);
      const watching = site.begin(['status', '--watch', '--json']);
      const lines = linesOf(watching);
      await vi.waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(2), patient);
      const first = JSON.parse(lines[0] ?? '');
      expect(first).toMatchObject({
        state: 'running',
        process: { pid: running.process.pid },
        exitCode: null,
      });
      expect(first.now.active).toBeGreaterThan(0);
      expect(first.requests['GET /space/user'].latency.answers).toBeGreaterThan(0);
      held.open();
      const [imported, watched] = await Promise.all([running.ended, watching.ended]);
      expect(imported.code).toBe(0);
      expect(watched).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
        run: first.run,
        state: 'finished',
        exitCode: 0,
        now: null,
        rows: JSON.parse(imported.stdout).rows,
      });
    });
  });

  it('stops with 0 by Ctrl-C, and the run goes on', async () => {
    const held = gate();
    await atSite({ ...slowly, rows: 20, onPhase: held.pass }, async (site) => {
      const running = await heldImport(site, held);
      const watching = site.begin(['status', '--watch']);
      const lines = linesOf(watching);
      await vi.waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(1), patient);
      expect(lines[0]).toMatch(/^\d+ of 20 rows \(.*; \d+ in progress/);
      watching.process.kill('SIGINT');
      expect(await watching.ended).toMatchObject({ code: 0, stderr: '' });
      held.open();
      expect(await running.ended).toMatchObject({ code: 0 });
      site.expectExact();
    });
  });

  it('of a run that has ended, or died, shows its status at once and ends with its exit code', async () => {
    const held = gate();
    await atSite({ ...slowly, rows: 20, onPhase: held.pass }, async (site) => {
      const running = await heldImport(site, held);
      running.process.kill('SIGKILL');
      await running.ended;
      held.open();
      const died = await site.longshore(['status', '--watch']);
      expect(died.code).toBe(1);
      expect(died.stdout).toContain('died unexpectedly');
      site.sandbox.revokeToken(site.token);
      expect(await site.longshore(['resume'])).toMatchObject({ code: 5 });
      expect(await site.longshore(['status', '--watch', '--quiet'])).toMatchObject({ stdout: '' });
    });
  });

  it('without a run says how to begin', () =>
    atSite({}, async (site) => {
      const { code, stderr } = await site.longshore(['status', '--watch']);
      expect(code).toBe(2);
      expect(stderr).toContain(`No runs found in ${site.workDir}.`);
    }));
});
