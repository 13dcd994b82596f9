import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { isWrite } from '../app/import/real-import.ts';
import { run } from '../end-to-end/in-process.ts';
import { isLong } from '../long.ts';
import { atSite, rowsOf, type Site } from './site.ts';

const writes = ({ sandbox }: Site) => sandbox.log.filter(isWrite);

const words = (site: Site, ...flags: string[]) => [
  ...['rehearse', site.people.pipeline, '--workspace', site.sandbox.baseUrl],
  ...flags,
];

/** Rehearses; the workspace is only read. */
async function rehearse(site: Site, ...flags: string[]) {
  const before = writes(site).length;
  const ended = await site.longshore(words(site, ...flags));
  expect(writes(site).length).toBe(before);
  return ended;
}

const spoolOf = (site: Site) => join(site.workDir, 'spool');

/** The modes of everything in a folder that others could use. */
function openToOthers(folder: string): readonly string[] {
  return [
    folder,
    ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))),
  ].filter((path) => (statSync(path).mode & 0o077) !== 0);
}

describe('rehearse', () => {
  it('says what the import then comes to, and sends nothing to the workspace', () =>
    atSite({ rows: 4 }, async (site) => {
      const { code, stdout } = await rehearse(site);
      expect(code).toBe(0);
      expect(stdout).toContain('Nothing was sent to it.');
      expect(stdout).toMatch(/^ {2}created {2,}3\n {2}updated {2,}1\n {2}─+\n {2}read {2,}4$/m);
      expect(stdout).toMatch(/after the import 3 new, 1 changed$/m);
      expect(stdout).toContain(`npx longshore import ${site.people.pipeline} `);
      expect(readdirSync(spoolOf(site))).toEqual([]);
      expect(existsSync(join(site.workDir, 'journal.db'))).toBe(false);
      const json = JSON.parse((await rehearse(site, '--json', '--sample', '1')).stdout);
      expect(json).toMatchObject({ exitCode: 0, contacts: { created: 3, changed: 1 }, kept: null });
      expect(json.samples).toHaveLength(1);
      const schema = JSON.parse((await site.longshore(['schema', 'rehearsal'])).stdout);
      expect(z.fromJSONSchema(schema).safeParse(json)).toMatchObject({ success: true });
      expect(rowsOf((await site.import()).stdout)).toEqual({ read: 4, created: 3, updated: 1 });
      site.expectExact();
    }));

  it('keeps the contacts before and after, and the copy, for their owner alone', () =>
    atSite({ rows: 4 }, async (site) => {
      const out = join(site.folder, 'rehearsed');
      const { stdout } = await rehearse(site, '--out', out, '--keep', '--json');
      const { kept, files } = JSON.parse(stdout);
      expect(openToOthers(kept)).toEqual([]);
      for (const file of Object.values<string>(files)) expect(statSync(file).mode & 0o777).toBe(0o600);
      const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');
      expect(lines(files.before)[0]).toMatch(/^id,firstName,lastName,email,.*,status,.*new comments$/);
      expect(lines(files.after)).toHaveLength(lines(files.before).length + 3);
      expect(lines(files.after).filter((line) => line.startsWith(','))).toHaveLength(3);
      // A work dir of its own: the run, its files, and the workspace.
      const status = await run(['status', '--json', '--work-dir', kept]);
      expect(JSON.parse(status.stdout)).toMatchObject({ rows: { created: 3, updated: 1 } });
      expect(readdirSync(kept)).toContain('sandbox.db');
      const next = await rehearse(site, '--keep');
      expect(next.stdout).toContain('The copy holds personal data and is kept in');
      expect(next.stdout).toMatch(/npx longshore sandbox --file \S+\/sandbox\.db/);
      expect(readdirSync(join(site.workDir, 'rehearsals'))).toHaveLength(2);
      expect(readdirSync(spoolOf(site))).toEqual([]);
    }));

  it('says what the guard of the pipeline would stop, and shows the rest', () =>
    atSite({ rows: 4 }, async (site) => {
      const { pipeline } = site.people;
      const text = readFileSync(pipeline, 'utf8');
      writeFileSync(pipeline, text.replace('import:\n', 'import:\n  guard: { creates: 2 }\n'));
      for (const flags of [[], ['--all']]) {
        const { code, stdout } = await rehearse(site, ...flags);
        expect(code).toBe(4);
        expect(stdout).toContain('3 contacts created, and guard.creates allows 2');
        expect(stdout).toMatch(/^ {2}created {2,}3$/m);
      }
    }));

  it('copies every contact where that is asked for', () =>
    atSite({ rows: 4 }, async (site) => {
      const there = site.sandbox.contacts().length;
      const { stdout } = await rehearse(site, '--all', '--json');
      expect(JSON.parse(stdout).contacts.copied).toBe(there);
    }));

  it('reads a piped input once', () =>
    atSite({ rows: 4 }, async (site) => {
      const stdin = readFileSync(join(site.folder, 'people.csv'), 'utf8');
      const ended = await site.begin(words(site, '--source', '-', '--json'), { stdin }).ended;
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(ended.stdout).rows).toMatchObject({ created: 3, updated: 1 });
      expect(readdirSync(spoolOf(site))).toEqual([]);
    }));

  it.each([
    ['a speed that is no number', ['--speed', 'fast'], '--speed takes a number of times such as 60x'],
    ['no speed at all', ['--speed', '0x'], '--speed takes a number of times such as 60x'],
    ['two choices of rows', ['--deferred', '--limit', '1'], 'cannot be used together'],
    ['no contacts to show', ['--sample', '-1'], '--sample'],
  ])('refuses %s', (_, flags, why) =>
    atSite({ rows: 2 }, async (site) => {
      const { code, stderr, stdout } = await rehearse(site, ...flags);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(why);
      expect(site.sandbox.log).toEqual([]);
    }),
  );

  it('without access, or without a pipeline, ends as an import does', () =>
    atSite({ rows: 2 }, async (site) => {
      site.sandbox.revokeToken(site.token);
      const refused = await rehearse(site);
      expect(refused).toMatchObject({ code: 5, stdout: '' });
      expect(refused.stderr).toContain('Then: npx longshore rehearse ');
      expect(readdirSync(spoolOf(site))).toEqual([]);
      const missing = await site.longshore(['rehearse', 'nothing.yaml']);
      expect(missing).toMatchObject({ code: 2, stdout: '' });
      expect(missing.stderr).toContain('nothing.yaml');
    }));
});

describe('a rehearsal that is stopped', () => {
  const timed = { faults: { latency: { min: 20, max: 20 } } };
  /** By this clock such an answer takes two seconds. */
  const slow = ['--speed', '0.01x'];

  /** Begins a rehearsal, and gives it when it imports into the copy. */
  async function begun(site: Site) {
    const running = site.begin(words(site, ...slow));
    let said = '';
    running.process.stderr?.on('data', (piece: Buffer) => {
      said += piece.toString();
    });
    await vi.waitUntil(() => said.includes('Rehearsing'), { timeout: 60_000 });
    return running;
  }

  it('by a signal, leaves nothing', () =>
    atSite({ rows: 4, ...timed }, async (site) => {
      const running = await begun(site);
      running.process.kill('SIGINT');
      const ended = await running.ended;
      expect(ended).toMatchObject({ code: 130, stdout: '' });
      expect(ended.stderr).toContain('interrupted by SIGINT');
      expect(readdirSync(spoolOf(site))).toEqual([]);
      expect(writes(site)).toEqual([]);
    }));

  it.runIf(isLong)('by a kill, leaves nothing that the next one does not remove', () =>
    atSite({ rows: 4, ...timed }, async (site) => {
      const running = await begun(site);
      running.process.kill('SIGKILL');
      expect((await running.ended).signal).toBe('SIGKILL');
      const [left = ''] = readdirSync(spoolOf(site));
      // Nothing of it is anywhere else.
      expect(readdirSync(join(spoolOf(site), left)).join(' ')).toMatch(/sandbox\.db/);
      expect(readdirSync(join(spoolOf(site), left)).join(' ')).toMatch(/longshore-/);
      expect(openToOthers(join(spoolOf(site), left))).toEqual([]);
      expect((await rehearse(site)).code).toBe(0);
      expect(readdirSync(spoolOf(site))).toEqual([]);
      expect(writes(site)).toEqual([]);
    }),
  );
});
