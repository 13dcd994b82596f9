import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { atSite, changed, rowsOf, slowly } from './site.ts';

/** A gate at which the workspace's requests wait while it is closed. */
function closable() {
  let opened = Promise.resolve();
  let open: () => void = () => undefined;
  return {
    pass: () => opened,
    open: () => open(),
    close: () => {
      opened = new Promise((resolve) => {
        open = resolve;
      });
    },
  };
}

describe.concurrent('status, runs and resume', () => {
  it('without a journal say how to begin, and make none', () =>
    atSite({}, async (site) => {
      for (const command of ['status', 'runs', 'resume']) {
        const { code, stdout, stderr } = await site.longshore([command]);
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain(`No runs found in ${site.workDir}.`);
        expect(stderr).toContain(`npx longshore import PIPELINE --work-dir ${site.workDir}`);
      }
    }));

  it('with a journal and no run in it say so', () =>
    atSite({}, async (site) => {
      site.sandbox.revokeToken(site.token);
      expect(await site.import()).toMatchObject({ code: 5 });
      const runs = await site.longshore(['runs']);
      expect(runs).toMatchObject({ code: 0, stderr: '' });
      expect(runs.stdout).toContain('No runs yet.');
      expect(await site.longshore(['runs', '--json'])).toMatchObject({ code: 0, stdout: '[]\n' });
      expect((await site.longshore(['status'])).stderr).toContain(`No runs found in ${site.workDir}.`);
      expect((await site.longshore(['resume'])).stderr).toContain('there is nothing to continue.');
    }));

  it('of a finished run: nothing to continue, and what to type instead', () =>
    atSite({ rows: 8 }, async (site) => {
      const { run } = JSON.parse((await site.import()).stdout);
      const status = await site.longshore(['status', run, '--json']);
      expect(JSON.parse(status.stdout)).toMatchObject({ run, state: 'finished', exitCode: 0, next: [] });
      const resume = await site.longshore(['resume', run]);
      expect(resume).toMatchObject({ code: 2, stdout: '' });
      const { pipeline } = site.people;
      expect(resume.stderr).toContain(
        `npx longshore import ${pipeline} --workspace ${site.sandbox.baseUrl} --work-dir ${site.workDir}`,
      );
      const unknown = await site.longshore(['status', 'nothing']);
      expect(unknown).toMatchObject({ code: 2, stdout: '' });
      expect(unknown.stderr).toContain('No run "nothing" found.');
    }));

  it('of a run that another process works on, and of one that was killed', () => {
    const gate = closable();
    return atSite({ ...slowly, onPhase: gate.pass }, async (site) => {
      const { people, sandbox, workDir } = site;
      const command = ['import', people.pipeline, '--workspace', sandbox.baseUrl];
      const first = site.begin(command);
      await changed(sandbox, 3);
      // Whatever this machine is busy with: the import is not over before it is killed.
      gate.close();
      const alive = await site.longshore(['status', '--json']);
      expect(JSON.parse(alive.stdout)).toMatchObject({
        state: 'running',
        process: { pid: first.process.pid },
        next: [],
      });
      const second = await site.longshore(command);
      expect(second).toMatchObject({ code: 6, stdout: '' });
      expect(second.stderr).toMatch(
        new RegExp(
          `the import into ${sandbox.baseUrl} is locked by process ${first.process.pid} on \\S+ since 2`,
        ),
      );
      expect(second.stderr).toContain(`npx longshore status --work-dir ${workDir}`);

      first.process.kill('SIGKILL');
      await first.ended;
      gate.open();
      const dead = await site.longshore(['status']);
      expect(dead.stdout).toContain('interrupted');
      expect(dead.stdout).toContain(`Process ${first.process.pid} died unexpectedly`);
      const [run] = JSON.parse((await site.longshore(['runs', '--json'])).stdout);
      expect(run).toMatchObject({ state: 'interrupted', exitCode: null });
      expect(dead.stdout).toContain(`npx longshore resume ${run.run} --work-dir ${workDir}`);

      const resumed = await site.longshore(['resume', '--json']);
      expect(resumed).toMatchObject({ code: 0, stderr: '' });
      expect(rowsOf(resumed.stdout)).toMatchObject({ read: 40, created: 30 });
      site.expectExact();
    });
  });

  it('do not take another process with the number of a killed one for it', () =>
    atSite(slowly, async (site) => {
      const first = site.begin(['import', site.people.pipeline, '--workspace', site.sandbox.baseUrl]);
      await changed(site.sandbox, 1);
      first.process.kill('SIGKILL');
      await first.ended;
      const { default: Database } = await import('better-sqlite3');
      const journal = new Database(`${site.workDir}/journal.db`);
      // This process is alive, and holds nothing.
      journal.prepare('UPDATE session SET pid = ?').run(process.pid);
      journal.prepare('UPDATE holder SET pid = ?').run(process.pid);
      journal.close();
      const { stdout } = await site.longshore(['status', '--json']);
      expect(JSON.parse(stdout)).toMatchObject({ state: 'interrupted', process: { pid: process.pid } });
    }));
});

it('a reader that goes away does not trouble a command', () =>
  atSite({ rows: 8 }, async (site) => {
    await site.import();
    for (const args of [['schema', 'mapping'], ['status']]) {
      const running = site.begin(args);
      running.process.stdout?.destroy();
      await once(running.process, 'exit');
      expect(await running.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    }
  }));
