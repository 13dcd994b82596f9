import { describe, expect, it } from 'vitest';
import { atSite, changed, rowsOf, seen, slowly } from '../cli/site.ts';

const signals = [
  { signal: 'SIGINT', code: 130 },
  { signal: 'SIGTERM', code: 143 },
  { signal: 'SIGHUP', code: 143 },
] as const;

describe.concurrent('a signal in the middle of an import', () => {
  it.each(signals)('$signal: what is on the wire finishes, the run says how to go on, and it does', (one) =>
    atSite(slowly, async (site) => {
      const { people, sandbox } = site;
      const running = site.begin(['import', people.pipeline, '--workspace', sandbox.baseUrl]);
      await changed(sandbox, 4);
      running.process.kill(one.signal);
      const stopped = await running.ended;
      expect(stopped).toMatchObject({ code: one.code, signal: null });
      expect(stopped.stderr).toContain(`error: interrupted by ${one.signal}.`);
      expect(stopped.stdout).toMatch(/Interrupted after \d+ of 40 rows/);
      expect(stopped.stdout).toMatch(/npx longshore resume \S+-people --work-dir /);
      // Each request that may change something was answered to somebody who still listened; reads are given up.
      expect(sandbox.log.filter(({ status, method }) => status === 0 && method !== 'GET')).toEqual([]);
      const { rows } = JSON.parse((await site.longshore(['status', '--json'])).stdout);
      const sent = sandbox.log.filter(({ applied }) => applied).length;
      expect(rows.created + rows.updated).toBe(sent);

      const resumed = await site.longshore(['resume', '--json']);
      expect(resumed).toMatchObject({ code: 0, stderr: '' });
      expect(rowsOf(resumed.stdout)).toEqual({ read: 40, created: 30, updated: 5, unchanged: 5 });
      expect(sandbox.log.filter(({ applied }) => applied)).toHaveLength(35);
      site.expectExact();
    }),
  );

  it('a second one ends the process at once, and nothing is lost', () =>
    atSite({ ...slowly, faults: { latency: { min: 4_000, max: 4_000 } } }, async (site) => {
      const { people, sandbox } = site;
      let heard: () => void = () => undefined;
      const onTheWire = new Promise<void>((resolve) => {
        heard = resolve;
      });
      sandbox.setFaults([{ latency: { min: 0, max: 0 } }]);
      const running = site.begin(['import', people.pipeline, '--workspace', sandbox.baseUrl]);
      running.process.stderr?.on('data', (piece: Buffer) => {
        if (piece.includes('Stopping')) heard();
      });
      await changed(sandbox, 2);
      sandbox.setFaults([{ latency: { min: 8_000, max: 8_000 } }]);
      await seen(sandbox, 5);
      running.process.kill('SIGINT');
      await onTheWire;
      running.process.kill('SIGINT');
      expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
      sandbox.setFaults([]);
      const resumed = await site.longshore(['resume', '--json']);
      expect(resumed).toMatchObject({ code: 0, stderr: '' });
      site.expectExact();
    }));

  it('SIGHUP beside another signal, as a closed terminal sends it, asks for no haste', () =>
    atSite(slowly, async (site) => {
      const { people, sandbox } = site;
      const running = site.begin(['import', people.pipeline, '--workspace', sandbox.baseUrl]);
      await changed(sandbox, 4);
      for (const signal of ['SIGTERM', 'SIGHUP', 'SIGHUP'] as const) running.process.kill(signal);
      const stopped = await running.ended;
      expect(stopped).toMatchObject({ code: 143, signal: null });
      expect(stopped.stderr).toContain('error: interrupted by SIG');
      expect(stopped.stdout).toMatch(/npx longshore resume \S+-people --work-dir /);
      expect(sandbox.log.filter(({ status, method }) => status === 0 && method !== 'GET')).toEqual([]);
    }));

  it('before the first row begins nothing, and the next import is a first one', () =>
    atSite({ ...slowly, faults: { path: '/space/*', latency: { min: 2_000, max: 2_000 } } }, async (site) => {
      const running = site.begin(['import', site.people.pipeline, '--workspace', site.sandbox.baseUrl]);
      await new Promise<void>((resolve) => {
        running.process.stderr?.once('data', () => resolve());
      });
      running.process.kill('SIGTERM');
      expect(await running.ended).toMatchObject({ code: 143, stdout: '' });
      site.sandbox.setFaults([]);
      expect(await site.import()).toMatchObject({ code: 0 });
      site.expectExact();
    }));
});
