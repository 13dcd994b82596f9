import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { atSite, changed, rowsOf, type Site, slowly } from './site.ts';

const all = { read: 40, created: 30, updated: 5, unchanged: 5 };

async function runsOf(site: Site): Promise<{ run: string; state: string }[]> {
  return JSON.parse((await site.longshore(['runs', '--json'])).stdout);
}

describe.concurrent('a run that was begun and not finished', () => {
  it('goes on with the rest after --limit', () =>
    atSite({}, async (site) => {
      const first = await site.import('--limit', '20');
      expect(first).toMatchObject({ code: 0, stderr: '' });
      expect(rowsOf(first.stdout)).toMatchObject({ read: 40, created: 15, notReached: 20 });
      const second = await site.import();
      expect(second).toMatchObject({ code: 0, stderr: '' });
      expect(rowsOf(second.stdout)).toEqual(all);
      expect(await runsOf(site)).toMatchObject([{ state: 'finished' }]);
      site.expectExact();
    }));

  it.each([
    { what: 'input', file: 'people.csv', more: '40,New,Person,new@example.com,+12015559999,1\n', added: 1 },
    { what: 'mapping', file: 'mapping.yaml', more: '# a remark\n', added: 0 },
  ])('is not continued against another $what; --fresh starts over', ({ what, file, more, added }) =>
    atSite({}, async (site) => {
      await site.import('--limit', '10');
      appendFileSync(join(site.folder, file), more);
      site.sandbox.resetLog();
      const refused = await site.import();
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toMatch(new RegExp(`The ${what} .*has changed since run \\S+-people began`));
      expect(refused.stderr).toContain('--fresh');
      expect(site.sandbox.log.filter(({ method }) => method !== 'GET')).toEqual([]);
      const fresh = await site.import('--fresh');
      expect(fresh.code).toBe(0);
      expect(rowsOf(fresh.stdout)).toMatchObject({ read: 40 + added, created: 22 + added, unchanged: 14 });
      const [newest, older] = await runsOf(site);
      const late = await site.longshore(['resume', older?.run ?? '']);
      expect(late).toMatchObject({ code: 2, stdout: '' });
      expect(late.stderr).toContain(`run ${older?.run} was started over as ${newest?.run}.`);
      expect(await site.longshore(['resume'])).toMatchObject({ code: 2 });
    }),
  );

  it('is resumed with the file that it began with, also where the pipeline reads a newer one by now', () =>
    atSite({}, async (site) => {
      await site.import('--limit', '10');
      const newer = readFileSync(join(site.folder, 'people.csv'), 'utf8');
      writeFileSync(join(site.folder, 'newer.csv'), `${newer}40,New,Person,new@example.com,+12015559999,1\n`);
      const pipeline = readFileSync(site.people.pipeline, 'utf8');
      writeFileSync(site.people.pipeline, pipeline.replace('people.csv', 'newer.csv'));
      expect(await site.import()).toMatchObject({ code: 2, stdout: '' });
      const resumed = await site.longshore(['resume', '--json']);
      expect(resumed).toMatchObject({ code: 0 });
      expect(rowsOf(resumed.stdout)).toEqual(all);
      site.expectExact();
      expect(rowsOf((await site.import()).stdout)).toMatchObject({ read: 41, created: 1, unchanged: 40 });
    }));

  it('goes on when a refused token is right again', () =>
    atSite(slowly, async (site) => {
      const running = site.import();
      await changed(site.sandbox, 3);
      site.sandbox.revokeToken(site.token);
      const refused = await running;
      expect(refused.code).toBe(5);
      expect(refused.stderr).toContain('The workspace refused the token (401');
      const { run } = JSON.parse(refused.stdout);
      expect(refused.stderr).toContain(`npx longshore resume ${run} --work-dir ${site.workDir}`);
      expect(await site.longshore(['resume'])).toMatchObject({ code: 5, stdout: '' });
      site.sandbox.acceptToken(site.token);
      const resumed = await site.longshore(['resume', '--json']);
      expect(resumed.code).toBe(0);
      expect(rowsOf(resumed.stdout)).toEqual(all);
      site.expectExact();
    }));

  it('stops at its error budget; the fixed file is a new run', () =>
    atSite({}, async (site) => {
      const path = join(site.folder, 'people.csv');
      const whole = readFileSync(path, 'utf8');
      writeFileSync(path, whole.replaceAll(/person[5-9]@example/g, 'nobody'));
      const pipeline = readFileSync(site.people.pipeline, 'utf8');
      writeFileSync(site.people.pipeline, `${pipeline}  policy: { maxErrors: 2 }\n`);
      const stopped = await site.longshore([
        'import',
        site.people.pipeline,
        '--workspace',
        site.sandbox.baseUrl,
      ]);
      expect(stopped.code).toBe(4);
      expect(stopped.stderr).toMatch(
        /error: \d of \d+ rows were rejected or failed, more than policy.maxErrors: 2/,
      );
      const command = `npx longshore import ${site.people.pipeline} --fresh --workspace ${site.sandbox.baseUrl}`;
      expect(stopped.stdout).toContain(command);
      writeFileSync(path, whole);
      const fixed = await site.import('--fresh');
      expect(fixed.code).toBe(0);
      expect(rowsOf(fixed.stdout).read).toBe(40);
      site.expectExact();
    }));

  it('is resumed as what it is: its pipeline, its workspace', () =>
    atSite({}, async (site) => {
      const other = await startSandbox({ tokens: [site.token] });
      await site.import('--limit', '10');
      const elsewhere = await site.longshore(['resume', '--workspace', other.baseUrl]);
      await other.close();
      expect(elsewhere).toMatchObject({ code: 2, stdout: '' });
      expect(elsewhere.stderr).toContain(`writes into ${site.sandbox.baseUrl}, not into ${other.baseUrl}.`);
      const pipeline = readFileSync(site.people.pipeline, 'utf8');
      writeFileSync(site.people.pipeline, pipeline.replace('pipeline: people', 'pipeline: persons'));
      const renamed = await site.longshore(['resume']);
      expect(renamed).toMatchObject({ code: 2, stdout: '' });
      expect(renamed.stderr).toContain('this pipeline is now named "persons"');
      writeFileSync(site.people.pipeline, pipeline);
      expect(await site.longshore(['resume'])).toMatchObject({ code: 0 });
      site.expectExact();
    }));

  it('from a pipe goes on when the same is piped again', () =>
    atSite({}, async (site) => {
      const stdin = readFileSync(join(site.folder, 'people.csv'), 'utf8');
      const pipeline = readFileSync(site.people.pipeline, 'utf8');
      writeFileSync(site.people.pipeline, pipeline.replace('path: people.csv', 'path: "-"'));
      const command = ['import', site.people.pipeline, '--workspace', site.sandbox.baseUrl, '--json'];
      expect(await site.begin([...command, '--limit', '10'], { stdin }).ended).toMatchObject({ code: 0 });
      expect(await site.begin(command, { stdin: 'ID,First,Last,Email,Phone,Score\n' }).ended).toMatchObject({
        code: 2,
      });
      const rest = await site.begin(['resume', '--json'], { stdin }).ended;
      expect(rowsOf(rest.stdout)).toEqual(all);
      site.expectExact();
    }));
});
