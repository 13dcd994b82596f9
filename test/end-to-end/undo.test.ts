import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSummaryJsonSchema } from '../../src/app/import/report/summary-schema.ts';
import { openJournalDatabase } from '../../src/journal/index.ts';
import type { SandboxOptions } from '../../src/sandbox/index.ts';
import { isWrite, type RealImport, realImport } from '../app/import/real-import.ts';
import { some } from '../long.ts';
import { type Running, start } from './command.ts';
import { run } from './in-process.ts';
import { ask } from './scene.ts';

const mapping = `mapping: people
key: Id
contact:
  firstName: { from: name }
  email: { from: email }
lifecycle: { from: stage }
`;

const seed = {
  contacts: [
    { id: 10, firstName: 'Ann', email: 'ann@example.test', lifecycle: 'New Lead' },
    { id: 11, firstName: 'B.', email: 'bo@example.test' },
  ],
};

const rows = [
  'Id,name,email,stage',
  '1,Anna,ann@example.test,Customer',
  '2,Bob,bo@example.test,Customer',
  '3,Cy,cy@example.test,',
];

const wholeMapping = `${mapping}assignee: { from: owner }
conversation: { status: closed, existing: true }
tags: { from: tag, attach: file }
`;

const wholeRows = ['Id,name,email,stage,owner,tag', '1,Anna,ann@example.test,Customer,1,vip'];

const wholeSeed = { contacts: seed.contacts.slice(0, 1) };

const contact = '/contact/{identifier}';

/** A kill in each kind of step of an undo, before the workspace has done it and after. */
const deaths = (['applied', 'lost'] as const).flatMap((moment) => [
  { moment, method: 'PUT', template: contact },
  { moment, method: 'POST', template: `${contact}/lifecycle/update` },
  { moment, method: 'POST', template: `${contact}/conversation/assignee` },
  { moment, method: 'POST', template: `${contact}/conversation/status` },
  { moment, method: 'DELETE', template: '/space/tag' },
]);

const env = { LONGSHORE_TOKEN: 'sandbox' };

/** An imported input; `type` is the command in its work dir. */
async function imported(options: SandboxOptions = {}) {
  const real = await realImport(mapping, rows, [], '', { seed, ...options });
  const before = real.sandbox.contacts();
  const workDir = join(real.folder, 'work');
  const type = (...words: readonly string[]) => run([...words, '--work-dir', workDir], env);
  const { code } = await type('import', real.pipelineFile, '--workspace', real.sandbox.baseUrl);
  expect(code).toBe(0);
  const id = await latest(type);
  return { real, before, workDir, type, id };
}

async function latest(type: (...words: readonly string[]) => Promise<{ readonly stdout: string }>) {
  const [newest] = JSON.parse((await type('runs', '--json')).stdout);
  return String(newest.run);
}

function writes({ sandbox }: RealImport): number {
  return sandbox.log.filter(isWrite).length;
}

describe('undo', () => {
  it('shows what it would do, asks, and does it with --yes', async () => {
    const { real, before, workDir, type, id } = await imported();
    const sent = writes(real);
    const preview = await type('undo', id, '--dry-run');
    expect(preview).toMatchObject({ code: 0 });
    expect(preview.stdout).toContain('firstName: Anna → Ann');
    expect(preview.stdout).toContain('1  created contact');
    // Nobody is there to ask.
    const unasked = await type('undo', id);
    expect(unasked).toMatchObject({ code: 2 });
    expect(unasked.stderr).toContain(`undo ${id} --yes`);
    expect(writes(real)).toBe(sent);
    expect(JSON.parse((await type('runs', '--json')).stdout)).toHaveLength(1);

    const undone = await type('undo', id, '--yes', '--json');
    expect(undone).toMatchObject({ code: 3 });
    const summary = JSON.parse(undone.stdout);
    expect(summary).toMatchObject({ kind: 'undo', undoes: id, kept: { contact: 1 } });
    expect(summary.contacts).toMatchObject({ total: 2, putBack: 2 });
    expect(summary.values).toEqual({ firstName: 2, lifecycle: 2 });
    expect(JSON.stringify(createSummaryJsonSchema())).toContain('"undoes"');
    expect(real.sandbox.contacts().slice(0, 2)).toEqual(before);
    const list = join(workDir, 'runs', summary.run, 'undo-kept.csv');
    expect(readFileSync(list, 'utf8')).toContain('contact,12,email:cy@example.test,4,');
    expect(statSync(list).mode & 0o777).toBe(0o600);
    expect((await type('status', summary.run)).stdout).toContain(`An undo of run ${id}.`);
    expect(await type('verify', summary.run)).toMatchObject({ code: 0 });
    expect(await type('undo', id, '--yes')).toMatchObject({ code: 3 });
    expect((await type('runs')).stdout).toContain(`undo of ${id}`);
  });

  it('says before and after that a created contact has an e-mail which goes back to another one', async () => {
    const { real, workDir, type } = await imported();
    real.write([rows[0] ?? '', '1,Anna,anna@example.test,Customer', '4,Dee,ann@example.test,']);
    await type('import', real.pipelineFile, '--workspace', real.sandbox.baseUrl);
    const id = await latest(type);
    const sentence =
      'One created contact has an e-mail or phone that the undo puts back into another contact: delete it before the next import.';
    expect((await type('undo', id, '--dry-run')).stdout).toContain(sentence);
    expect((await type('undo', id, '--yes')).stdout).toContain(sentence);
    expect(real.sandbox.contacts().filter(({ email }) => email === 'ann@example.test')).toHaveLength(2);
    const list = readFileSync(join(workDir, 'runs', await latest(type), 'undo-kept.csv'), 'utf8');
    expect(list).toContain('keep contact 10, which has its e-mail again');
  });

  it('refuses another workspace, a run whose old values are gone, and retries of an undo', async () => {
    const { real, workDir, type, id } = await imported();
    expect((await type('undo', id, '--dry-run', '--workspace', 'sandbox')).stderr).toContain('wrote into');
    await type('undo', id, '--yes');
    const undo = await latest(type);
    expect((await type('retry', undo)).stderr).toContain('is an undo');
    const journal = openJournalDatabase(workDir);
    journal.exec("UPDATE step SET before = NULL WHERE name = 'update'");
    journal.close();
    const sent = writes(real);
    const old = await type('undo', id, '--yes');
    expect(old).toMatchObject({ code: 2 });
    expect(old.stderr).toContain('does not have the values that it replaced');
    expect(writes(real)).toBe(sent);
  });

  it('leaves a person alone who was forgotten, and puts the others back', async () => {
    const { real, before, type, id } = await imported();
    expect(await type('forget', 'ann@example.test', '--yes')).toMatchObject({ code: 0 });
    const ann = real.sandbox.contacts()[0];
    expect(await type('undo', id, '--yes')).toMatchObject({ code: 3 });
    expect(real.sandbox.contacts().slice(0, 2)).toEqual([ann, before[1]]);
    const undo = await latest(type);
    expect(await type('forget', 'bo@example.test', '--yes')).toMatchObject({ code: 0 });
    expect(await type('undo', undo, '--yes')).toMatchObject({ code: 0 });
    expect(real.sandbox.contacts().slice(0, 2)).toEqual([ann, before[1]]);
  });

  it('of a pruned run ends with 2 and says why', async () => {
    const { type, id } = await imported();
    expect(await type('prune', '--older', '1ms', '--with-open', '--yes')).toMatchObject({ code: 0 });
    const pruned = await type('undo', id, '--yes');
    expect(pruned).toMatchObject({ code: 2 });
    expect(pruned.stderr).toContain('was pruned');
  });

  it('of an unfinished import closes it: the next import starts over', async () => {
    const { real, before, type } = await imported();
    real.write([...rows.slice(0, 2), '2,Bobby,bo@example.test,Customer', rows[3] ?? '']);
    await type('import', real.pipelineFile, '--workspace', real.sandbox.baseUrl, '--limit', '2');
    const unfinished = await latest(type);
    expect(await type('undo', unfinished, '--yes')).toMatchObject({ code: 0 });
    expect(real.sandbox.contacts()[1]).toMatchObject({ firstName: 'Bob' });
    const resumed = await type('resume', unfinished);
    expect(resumed).toMatchObject({ code: 2 });
    expect(resumed.stderr).toContain('was undone by');
    expect((await type('resume')).stderr).toContain('nothing to continue');
    const status = JSON.parse((await type('status', unfinished, '--json')).stdout);
    expect(status).toMatchObject({ undoneBy: expect.stringContaining('undo-real'), next: [] });
    const again = await type('import', real.pipelineFile, '--workspace', real.sandbox.baseUrl, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: { read: 3, updated: 1 } });
    expect(before).toHaveLength(2);
  });

  it.each(some(deaths))(
    'killed at a $method $template that is $moment, ends the same when it is continued',
    async ({ method, template, moment }) => {
      let victim: Running | undefined;
      const real = await realImport(wholeMapping, wholeRows, ['  limits: { settle: 1s }'], '', {
        seed: wholeSeed,
        onPhase: async (phase, request) => {
          if (
            phase !== (moment === 'lost' ? 'received' : moment) ||
            request.method !== method ||
            request.template !== template
          )
            return;
          const { process: child, ended } = victim ?? {};
          victim = undefined;
          child?.kill('SIGKILL');
          await ended;
        },
      });
      const before = real.sandbox.contacts();
      const workDir = join(real.folder, 'work');
      const type = (...words: readonly string[]) => run([...words, '--work-dir', workDir], env);
      await type('import', real.pipelineFile, '--workspace', real.sandbox.baseUrl);
      const after = real.sandbox.contacts();
      const id = await latest(type);
      if (moment === 'lost') real.sandbox.scriptFault({ method, path: template, kind: 'dropBefore' });
      victim = start(['undo', id, '--yes', '--conversations', '--delete-tags', '--work-dir', workDir], env);
      expect(await victim.ended).toMatchObject({ signal: 'SIGKILL' });
      expect(await type('resume')).toMatchObject({ code: 0 });
      expect(real.sandbox.contacts()).toEqual(before);
      const tag = await ask(real.sandbox, 'PUT', '/space/tag', { currentName: 'vip' });
      expect(tag.status).toBe(404);
      // The next import sends the same again.
      await type('import', real.pipelineFile, '--workspace', real.sandbox.baseUrl);
      expect(real.sandbox.contacts()).toEqual(after);
    },
  );
});
