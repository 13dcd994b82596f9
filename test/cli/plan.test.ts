import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { isWrite } from '../app/import/real-import.ts';
import { atSite, rowsOf, type Site, slowly } from './site.ts';

const writes = ({ sandbox }: Site) => sandbox.log.filter(isWrite);

const plan = (site: Site, ...flags: string[]) =>
  site.longshore(['plan', site.people.pipeline, '--workspace', site.sandbox.baseUrl, ...flags]);

describe('plan', () => {
  it('says what an import would do, and sends nothing', () =>
    atSite({ rows: 4 }, async (site) => {
      const { code, stdout } = await plan(site);
      expect(code).toBe(0);
      expect(stdout).toContain('Nothing was sent.');
      expect(stdout).toMatch(/^ {2}created {2,}3\n {2}updated {2,}1$/m);
      expect(stdout).toMatch(/^ +3 {2}POST \/contact\/\{identifier\}$/m);
      expect(stdout).toContain(`npx longshore import ${site.people.pipeline} `);
      expect(writes(site)).toEqual([]);
      const dry = await site.import('--dry-run');
      expect(JSON.parse(dry.stdout)).toMatchObject({ rows: { created: 3, updated: 1 }, continues: null });
      expect(writes(site)).toEqual([]);
      expect((await site.longshore(['runs'])).stderr).toContain('No runs found');
    }));

  it('keeps what it plans for its owner alone, and an import does exactly that', () =>
    atSite({ rows: 4 }, async (site) => {
      const out = join(site.folder, 'plan.db');
      const csv = join(site.folder, 'plan.csv');
      await plan(site, '--out', out, '--csv', csv);
      for (const file of [out, csv]) expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(csv, 'utf8').split('\n')[0]).toBe('line,key,outcome,contact,step,field,old,new');
      const done = await site.import('--plan', out);
      expect(done.code).toBe(0);
      expect(rowsOf(done.stdout)).toEqual({ read: 4, created: 3, updated: 1 });
      site.expectExact();
      const again = await site.import('--plan', out);
      expect(again).toMatchObject({ code: 2, stdout: '' });
      expect(again.stderr).toContain('another import has run since it was made. Nothing was sent.');
      expect(again.stderr).toContain(`npx longshore plan ${site.people.pipeline} --out ${out}`);
    }));

  it('is followed for the first rows alone with --limit, and for the rest when the run is continued', () =>
    atSite({ rows: 6 }, async (site) => {
      const out = join(site.folder, 'plan.db');
      await plan(site, '--out', out);
      const first = await site.import('--plan', out, '--limit', '2');
      expect(rowsOf(first.stdout)).toMatchObject({ read: 6, notReached: 4 });
      const { run } = JSON.parse(first.stdout);
      expect((await site.longshore(['resume', run])).code).toBe(0);
      const rest = JSON.parse((await site.longshore(['status', run, '--json'])).stdout);
      expect(rest).toMatchObject({ state: 'finished', rows: { notReached: 0, stale: 0, failed: 0 } });
      site.expectExact();
    }));

  it('keeps no plan of an import that would stop before its end', () =>
    atSite({ rows: 4 }, async (site) => {
      const yaml = readFileSync(site.people.pipeline, 'utf8');
      writeFileSync(site.people.pipeline, yaml.replace('import:\n', 'import:\n  policy: { maxErrors: 0 }\n'));
      const input = join(site.folder, 'people.csv');
      writeFileSync(input, readFileSync(input, 'utf8').replaceAll('@', ' at '));
      const out = join(site.folder, 'plan.db');
      const { code, stdout, stderr } = await plan(site, '--out', out);
      expect(code).toBe(4);
      expect(existsSync(out)).toBe(false);
      expect(stdout).toContain('The import would stop: ');
      expect(stdout).not.toContain('--plan');
      expect(stderr).toContain(`${out} was not written: the import would stop before its end`);
    }));

  it('shows the rows that are asked for', () =>
    atSite({ rows: 4 }, async (site) => {
      expect((await plan(site, '--row', '3', '--diff')).stdout).toMatch(
        /^Line 3.*: created\n {2}\+ create /m,
      );
      expect((await plan(site, '--only', 'rejected')).stdout).not.toMatch(/^Line /m);
      expect(JSON.parse((await plan(site, '--sample', '2', '--json')).stdout).samples).toHaveLength(2);
      expect(await plan(site, '--only', 'rejects')).toMatchObject({ code: 2, stdout: '' });
      expect(await plan(site, '--row', '0')).toMatchObject({ code: 2, stdout: '' });
      expect((await plan(site, '--row', '3rd')).stderr).toContain('--row takes a line of the input');
    }));

  it.each([
    ['a file that is none', 'not a plan', 'this file is not a plan'],
    ['no file', undefined, 'there is no such plan'],
  ])('an import refuses %s', (_, text, why) =>
    atSite({ rows: 2 }, async (site) => {
      const path = join(site.folder, 'other.db');
      if (text !== undefined) writeFileSync(path, text);
      const { code, stderr } = await site.import('--plan', path);
      expect(code).toBe(2);
      expect(stderr).toContain(why);
      expect(stderr).toContain('npx longshore plan PIPELINE --out');
      expect(writes(site)).toEqual([]);
    }),
  );

  it('killed, leaves nothing that the next one does not remove', () =>
    atSite({ rows: 40, ...slowly }, async (site) => {
      const asked = ['plan', site.people.pipeline, '--workspace', site.sandbox.baseUrl];
      const running = site.begin(asked);
      await vi.waitUntil(() => site.sandbox.log.length > 5, { timeout: 60_000 });
      running.process.kill('SIGKILL');
      expect((await running.ended).signal).toBe('SIGKILL');
      const spool = join(site.workDir, 'spool');
      const left = readdirSync(spool);
      expect(left).not.toEqual([]);
      expect((await plan(site)).code).toBe(0);
      expect(readdirSync(spool)).toEqual([]);
      expect(writes(site)).toEqual([]);
    }));

  it('leaves no file behind but the one asked for', () =>
    atSite({ rows: 2 }, async (site) => {
      await plan(site);
      expect(existsSync(join(site.workDir, 'journal.db'))).toBe(false);
      expect(existsSync(join(site.workDir, 'runs'))).toBe(false);
    }));
});

describe('a guard', () => {
  const guarded = (site: Site, guard: string) =>
    writeFileSync(
      site.people.pipeline,
      readFileSync(site.people.pipeline, 'utf8').replace('import:\n', `import:\n  guard: ${guard}\n`),
    );

  it('stops an import that would change too much, before it sends anything', () =>
    atSite({ rows: 4 }, async (site) => {
      guarded(site, '{ creates: 2 }');
      const stopped = await site.import();
      expect(stopped).toMatchObject({ code: 4, stdout: '' });
      expect(stopped.stderr).toContain('3 contacts created, and guard.creates allows 2. Nothing was sent.');
      expect(stopped.stderr).toContain('--yes');
      expect(writes(site)).toEqual([]);
      expect((await site.import('--yes')).code).toBe(0);
      site.expectExact();
    }));

  it('reads a piped input once, for the plan and for the import', () =>
    atSite({ rows: 4 }, async (site) => {
      guarded(site, '{ creates: 3 }');
      const stdin = readFileSync(join(site.folder, 'people.csv'), 'utf8');
      const asked = ['import', site.people.pipeline, '--workspace', site.sandbox.baseUrl, '--source', '-'];
      expect((await site.begin(asked, { stdin }).ended).code).toBe(0);
      site.expectExact();
    }));

  it('lets through what it allows; a share is of the rows read', () =>
    atSite({ rows: 4 }, async (site) => {
      guarded(site, '{ creates: 50% }');
      expect((await site.import()).code).toBe(4);
      const yaml = readFileSync(site.people.pipeline, 'utf8').replace(
        'creates: 50%',
        'creates: 75%, merges: 0',
      );
      writeFileSync(site.people.pipeline, yaml);
      expect((await site.import()).code).toBe(0);
      site.expectExact();
    }));
});
