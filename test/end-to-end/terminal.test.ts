import { describe, expect, it } from 'vitest';
import { atSite, rowsOf, type Site, slowly } from '../cli/site.ts';
import { hasTerminal, runOnTerminal } from './pseudo-terminal.ts';

const esc = '\u001b';

function onTerminal(site: Site, options: Parameters<typeof runOnTerminal>[1], ...flags: readonly string[]) {
  const { people, sandbox, workDir, token } = site;
  const command = ['import', people.pipeline, '--workspace', sandbox.baseUrl, '--work-dir', workDir];
  return runOnTerminal([...command, ...flags], {
    ...options,
    env: { LONGSHORE_TOKEN: token, ...options?.env },
  });
}

describe.skipIf(!hasTerminal).concurrent('on a terminal', () => {
  it('a bar is drawn over itself, and what is said above it is not cut', () =>
    atSite(slowly, async (site) => {
      const { text, code } = await onTerminal(site, { columns: 60 });
      expect(code).toBe(0);
      expect(text).toContain('█');
      expect(text).not.toContain(`${esc}[?`);
      expect(text).toContain("The workspace's contact list was read once, 10 contacts, to see who is there.");
      expect(text).toContain(`${esc}[32m`);
    }));

  it('NO_COLOR leaves no colour anywhere', () =>
    atSite({ ...slowly, rows: 4 }, async (site) => {
      const { text } = await onTerminal(site, { env: { NO_COLOR: '1' } });
      expect(text).toContain('Finished');
      expect(text).not.toMatch(new RegExp(`${esc}\\[\\d*m`));
    }));

  it.each(['plain', 'none'])('--progress %s draws nothing over', (mode) =>
    atSite({ ...slowly, rows: 4 }, async (site) => {
      const { text, code } = await onTerminal(site, { env: { NO_COLOR: '1' } }, '--progress', mode);
      expect(code).toBe(0);
      // A terminal turns each line break into CR and LF.
      const lines = text.replaceAll('\r\n', '\n');
      expect(lines).not.toMatch(new RegExp(`[\\r${esc}]`));
      expect(lines).toContain(': 4 rows.');
      expect(lines.includes('4 of 4 rows (100%)')).toBe(mode === 'plain');
    }),
  );

  it('closed in the middle of a run, the run is checkpointed and continues', () =>
    atSite(slowly, async (site) => {
      expect(await onTerminal(site, { until: 'created' })).toMatchObject({ code: 143 });
      const status = JSON.parse((await site.longshore(['status', '--json'])).stdout);
      expect(status).toMatchObject({
        state: 'interrupted',
        exitCode: 143,
        message: 'interrupted by SIGHUP.',
      });
      const resumed = await site.longshore(['resume', '--json']);
      expect(resumed).toMatchObject({ code: 0, stderr: '' });
      expect(rowsOf(resumed.stdout)).toEqual({ read: 40, created: 30, updated: 5, unchanged: 5 });
      site.expectExact();
    }));
});
